import type { NewEvent, RecordedEvent } from '@davit/contracts';
import type { EventLog, StreamWrite } from '@davit/event-log';
import type { ProjectionDefinition } from '@davit/projection';
import type { Controller, ReconcileContext } from '../controller.js';

/** A replica that some running count was asked for (`spec`) and that reports one (`seen`). */
export interface Counter {
  readonly [field: string]: unknown;
  readonly wanted: number;
  readonly reached: number;
  readonly version: number;
}

const WRITER_OF_WISHES = '/davit/spec';

/** Counts per replica what was wished for and what the controller did about it; both are load summaries of one stream. */
export const counters: ProjectionDefinition = {
  name: 'counters',
  version: 1,
  refs: (event) =>
    event.type === 'davit.runtime.load-summarised' ? [{ kind: 'counter', key: event.data.replicaId }] : [],
  evolve(document, event) {
    if (event.type !== 'davit.runtime.load-summarised') return document;
    const before = document as Counter | undefined; // written by this fold
    const wish = event.source === WRITER_OF_WISHES;
    return {
      wanted: (before?.wanted ?? 0) + (wish ? 1 : 0),
      reached: (before?.reached ?? 0) + (wish ? 0 : 1),
      version: event.version,
    } satisfies Counter;
  },
  groups: () => [],
};

const summary = (replicaId: string): NewEvent => ({
  type: 'davit.runtime.load-summarised',
  data: { replicaId, running: 1, waiting: null, kvCacheUsage: null },
});

const write = (replicaId: string, expectedVersion: number | 'any'): [StreamWrite] => [
  { stream: `runtime/${replicaId}`, expectedVersion, events: [summary(replicaId)] },
];

export async function wish(log: EventLog, replicaId: string): Promise<readonly RecordedEvent[]> {
  const result = await log.append(write(replicaId, 'any'), { tenant: 'acme', service: 'spec' });
  return result.outcome === 'appended' ? result.events : [];
}

/** Makes `reached` equal to `wanted`, one step a pass; `during` runs between the look and the append. */
export function counting(during: (context: ReconcileContext) => Promise<void> = () => Promise.resolve()): Controller {
  return {
    name: 'count',
    concurrency: 4,
    keysOf: (ref) => [ref.key],
    async reconcile(context) {
      const counter = await context.model.get<Counter>('counter', context.key);
      if (!counter || counter.document.reached >= counter.document.wanted) return {};
      await during(context);
      await context.append(write(context.key, counter.document.version), { tenant: 'acme' });
      return {};
    },
  };
}
