import type { RecordedEvent } from '@davit/contracts';
import { EVENT_CATEGORIES } from '@davit/contracts/categories';
import { Button, Group, MultiSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';
import { useFeed } from '../../live/live.js';
import { Empty, Panel } from '../../parts/panel.js';
import { useAt, useSetParameters } from '../../time/at.js';
import { EventDrawer } from './event-drawer.js';
import { EventTable } from './event-table.js';
import { type EventFilter, filtered, isEmpty } from './filter.js';
import { PastEvents } from './past-events.js';

/** What happens, as it happens. Whoever reads on is not disturbed by what comes meanwhile. */
export default function Events() {
  const at = useAt();
  const [parameters] = useSearchParams();
  const set = useSetParameters();
  const filter: EventFilter = {
    categories:
      parameters
        .get('category')
        ?.split(',')
        .filter((part) => part !== '') ?? [],
    type: parameters.get('type') ?? '',
    deployment: parameters.get('deployment') ?? '',
    text: parameters.get('text') ?? '',
  };
  const field = (name: 'type' | 'deployment' | 'text', label: string, placeholder: string) => (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      size="xs"
      w={170}
      value={filter[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value || null }, true)}
    />
  );
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        Events
      </Title>
      <Group gap="sm">
        <MultiSelect
          aria-label="Categories"
          placeholder={filter.categories.length === 0 ? 'every category' : ''}
          size="xs"
          miw={220}
          data={[...EVENT_CATEGORIES]}
          value={[...filter.categories]}
          onChange={(next) => set({ category: next.length === 0 ? null : next.join(',') }, true)}
          clearable
          clearButtonProps={{ 'aria-label': 'Every category' }}
        />
        {field('type', 'Type', 'type, such as became-')}
        {field('deployment', 'Deployment', 'deployment')}
        {field('text', 'Text', 'any text')}
        {!isEmpty(filter) && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => set({ category: null, type: null, deployment: null, text: null }, true)}
          >
            Clear
          </Button>
        )}
      </Group>
      {at === undefined ? <LiveEvents filter={filter} /> : <PastEvents filter={filter} />}
      <EventDrawer />
    </Stack>
  );
}

function LiveEvents({ filter }: { readonly filter: EventFilter }) {
  const { ring } = useFeed();
  const feed = useFeed();
  const live = useSyncExternalStore(feed.subscribe, ring.get);
  const [held, setHeld] = useState<readonly RecordedEvent[] | undefined>();
  const shown = useDeferredValue(held ?? live);
  const rows = useMemo(() => filtered(shown, filter), [shown, filter]);
  const since = held === undefined ? 0 : (live.at(-1)?.position ?? 0) - (held.at(-1)?.position ?? 0);
  return (
    <Panel
      title={isEmpty(filter) ? `The latest ${shown.length}` : `${rows.length} of the latest ${shown.length}`}
      aside={
        <Group gap="sm">
          {held !== undefined && (
            <Text size="xs" c="dimmed" role="status">
              paused, {since} new
            </Text>
          )}
          <Button size="compact-sm" variant="default" onClick={() => setHeld(held === undefined ? live : undefined)}>
            {held === undefined ? 'Pause' : 'Resume'}
          </Button>
        </Group>
      }
    >
      {rows.length === 0 ? (
        <Empty title={shown.length === 0 ? 'Nothing has happened yet' : 'None of them is like that'}>
          {shown.length === 0 ? 'Events appear here the moment they are in the log.' : 'A wider filter may show some.'}
        </Empty>
      ) : (
        <EventTable
          rows={rows}
          onScrolled={(away) => {
            if (away && held === undefined) setHeld(live);
          }}
        />
      )}
    </Panel>
  );
}
