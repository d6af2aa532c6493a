import type { EventData, RecordedEvent } from '@davit/contracts';
import { useMemo } from 'react';
import { useEvents } from '../../live/events-query.js';
import { Mark } from '../../parts/mark.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { type Column, DataTable } from '../../parts/table.js';
import { Ago } from '../../parts/time.js';
import { MomentLink } from '../../parts/moment-link.js';

type Declared = EventData<'davit.deployment.declared'>;

interface Declaration {
  readonly position: number;
  readonly time: string;
  readonly actor: string | null;
  readonly declared: Declared;
  readonly active: boolean;
}

const COLUMNS: readonly Column<Declaration>[] = [
  { name: 'Revision', width: '76px', align: 'end', cell: ({ declared }) => declared.revision },
  { name: 'Generation', width: '92px', align: 'end', cell: ({ declared }) => declared.generation },
  { name: 'Declared', width: '110px', cell: ({ time }) => <Ago at={time} /> },
  { name: 'By', width: 'minmax(100px, 0.5fr)', cell: ({ actor }) => actor ?? '–' },
  {
    name: 'State',
    width: '100px',
    cell: ({ active }) => (active ? <Mark tone="good">active</Mark> : <Mark tone="gone">not active</Mark>),
  },
  { name: 'Replicas', width: '76px', align: 'end', cell: ({ declared }) => declared.spec.spec.scaling.replicas },
  {
    name: 'Runtime',
    width: 'minmax(140px, 0.6fr)',
    cell: ({ declared }) => {
      const { engine, version, args } = declared.spec.spec.runtime;
      return <span title={args.join(' ')}>{[engine, version, ...args].filter((part) => part !== null).join(' ')}</span>;
    },
  },
  {
    name: 'Model',
    width: 'minmax(160px, 0.7fr)',
    cell: ({ declared }) => {
      const { id, revision } = declared.spec.spec.model;
      return revision === null ? id : `${id} @ ${revision.slice(0, 10)}`;
    },
  },
  { name: 'Position', width: '90px', align: 'end', cell: ({ position }) => <MomentLink position={position} /> },
];

const keyOf = ({ position }: Declaration): string => String(position);

/** What was declared, one after the other, the latest first. */
export function Revisions({ id, active }: { readonly id: string; readonly active: number | null }) {
  const events = useEvents({ deployment: id, category: 'deployment' }, ['deployment']);
  const rows = useMemo(() => declarationsIn(events.data?.items ?? [], active), [events.data, active]);
  return (
    <Panel title="Revisions">
      <Answered answer={events}>
        {() =>
          rows.length === 0 ? (
            <Empty title="Nothing was declared in the part of the log that is looked through" />
          ) : (
            <DataTable label="Revisions" rows={rows} columns={COLUMNS} keyOf={keyOf} />
          )
        }
      </Answered>
    </Panel>
  );
}

function declarationsIn(events: readonly RecordedEvent[], active: number | null): readonly Declaration[] {
  return events
    .flatMap((event) =>
      event.type === 'davit.deployment.declared'
        ? [
            {
              ...{ position: event.position, time: event.time, actor: event.actor ?? null },
              ...{ declared: event.data, active: event.data.revision === active },
            },
          ]
        : [],
    )
    .toReversed();
}
