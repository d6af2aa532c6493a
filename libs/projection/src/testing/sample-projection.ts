import type { EventOf, RecordedEvent } from '@davit/contracts';
import { isoTime } from '@davit/ports';
import type { ProjectionDefinition } from '../projection.js';

/** A load summary of one replica, the smallest event there is. `running: 0` removes the replica's document in the sample fold. */
export function loadEvent(position: number, replicaId: string, running: number): RecordedEvent {
  return {
    specversion: '1.0',
    id: `00000000-0000-7000-8000-${position.toString(16).padStart(12, '0')}`,
    source: '/davit/runtime-prober',
    type: 'davit.runtime.load-summarised',
    subject: replicaId,
    time: isoTime(Date.UTC(2026, 0, 1) + position),
    dataschema: 'davit:runtime.load-summarised:v1',
    tenant: 'acme',
    stream: `runtime/${replicaId}`,
    version: position,
    position,
    data: { replicaId, running, waiting: null, kvCacheUsage: null },
  };
}

interface Load {
  readonly [field: string]: unknown;
  readonly running: number;
  readonly positions: readonly number[];
}

/** Keeps per replica every position that touched it, and per tenant a sum: any event lost, doubled or swapped shows. */
export function sampleProjection(version = 1): ProjectionDefinition {
  return {
    name: 'loads',
    version,
    refs: (event) =>
      isLoad(event)
        ? [
            { kind: 'replica', key: event.data.replicaId },
            { kind: 'tenant', key: event.tenant },
          ]
        : [],
    evolve(document, event, ref) {
      if (!isLoad(event)) return document;
      if (event.data.running === null) throw new Error('a load without a number');
      const before = document as Load | undefined; // written by this fold
      if (ref.kind === 'replica' && event.data.running === 0) return undefined;
      const running = ref.kind === 'replica' ? event.data.running : (before?.running ?? 0) + event.data.running;
      const positions = [...(before?.positions ?? []), event.position].slice(-8);
      return { running, positions, version } satisfies Load;
    },
    groups: (ref, document) =>
      ref.kind === 'replica' ? [`load:${Number(document['running'])}`, 'quoted "\\" group'] : [],
  };
}

const isLoad = (event: RecordedEvent): event is EventOf<'runtime'> & { type: 'davit.runtime.load-summarised' } =>
  event.type === 'davit.runtime.load-summarised';
