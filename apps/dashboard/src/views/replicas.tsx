import type { ReplicaView } from '@davit/contracts';
import { Group, NativeSelect, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useReplicas } from '../live/queries.js';
import { Answered, Empty, Panel } from '../parts/panel.js';
import { DataTable } from '../parts/table.js';
import { useSetParameters } from '../time/at.js';
import { REPLICA_STATES } from '../words/states.js';
import { REPLICA_COLUMNS } from './replica-columns.js';

const keyOf = ({ id }: ReplicaView): string => id;

/** Every replica, by state and by text; the address holds what is looked for. */
export default function Replicas() {
  const [parameters] = useSearchParams();
  const set = useSetParameters();
  const state = parameters.get('state') ?? '';
  const text = parameters.get('text') ?? '';
  const all = parameters.get('all') === 'true';
  const replicas = useReplicas(all ? { all: true } : {});
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(
    () => (replicas.data?.items ?? []).filter((row) => matches(row, state, wanted)),
    [replicas.data, state, wanted],
  );
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        Replicas
      </Title>
      <Panel
        title={replicas.data ? `${shown.length} of ${replicas.data.items.length}` : 'Replicas'}
        aside={
          <Group gap="sm">
            <Switch
              label="with deleted ones"
              size="xs"
              checked={all}
              onChange={(event) => set({ all: event.currentTarget.checked ? 'true' : null }, true)}
            />
            <NativeSelect
              aria-label="State"
              size="xs"
              value={state}
              data={[{ value: '', label: 'any state' }, ...REPLICA_STATES]}
              onChange={(event) => set({ state: event.currentTarget.value || null }, true)}
            />
            <TextInput
              aria-label="Text in id, placement or reason"
              placeholder="id, placement, reason"
              size="xs"
              w={220}
              value={text}
              onChange={(event) => set({ text: event.currentTarget.value || null }, true)}
            />
          </Group>
        }
      >
        <Answered answer={replicas} lines={8}>
          {({ items }) =>
            shown.length === 0 ? (
              <Empty title={items.length === 0 ? 'No replica runs' : 'No replica is like that'}>
                {items.length === 0 ? (
                  'They appear as soon as a deployment asks for one.'
                ) : (
                  <Text size="sm">Another state or text may find some.</Text>
                )}
              </Empty>
            ) : (
              <DataTable
                label="Replicas"
                rows={shown}
                columns={REPLICA_COLUMNS}
                keyOf={keyOf}
                maxHeight="calc(100vh - 250px)"
              />
            )
          }
        </Answered>
      </Panel>
    </Stack>
  );
}

function matches({ id, placement, why, state: is }: ReplicaView, state: string, text: string): boolean {
  if (state !== '' && is !== state) return false;
  if (text === '') return true;
  return `${id} ${placement?.cloud ?? ''} ${placement?.accelerator?.name ?? ''} ${why}`.toLowerCase().includes(text);
}
