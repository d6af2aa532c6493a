import type { EventOf, RecordedEvent } from '@davit/contracts';
import type { ReplicaState, TrafficReport } from './state.js';

export function isRuntimeEvent(event: RecordedEvent): event is EventOf<'runtime'> {
  return event.type.startsWith('davit.runtime.');
}

/** Folds what the prober saw of the model server. */
export function evolveRuntime(state: ReplicaState, event: EventOf<'runtime'>): ReplicaState {
  const next = { ...state, versions: { ...state.versions, runtime: event.version } };
  const since = event.time;
  switch (event.type) {
    case 'davit.runtime.probing-started':
      return {
        ...next,
        runtime: { status: 'probing', url: event.data.url, servedModel: null, reason: null, detail: '', since },
      };
    case 'davit.runtime.became-ready': {
      const { url, servedModel, evidence } = event.data;
      const { contextLength, adapters, engineVersion } = evidence;
      const told = {
        ...(contextLength === undefined ? {} : { contextLength }),
        ...(adapters === undefined ? {} : { adapters }),
        ...(engineVersion === undefined ? {} : { engineVersion }),
      };
      return { ...next, runtime: { status: 'ready', url, servedModel, ...told, reason: null, detail: '', since } };
    }
    case 'davit.runtime.became-unready': {
      const { url, reason, detail } = event.data;
      return { ...next, runtime: { status: 'unready', url, servedModel: null, reason, detail, since } };
    }
    case 'davit.runtime.model-mismatched': {
      const { url, expected, found } = event.data;
      const detail = `expected ${expected}, found ${found.join(', ') || 'none'}`;
      return {
        ...next,
        runtime: { status: 'unready', url, servedModel: null, reason: 'model-mismatch', detail, since },
      };
    }
    case 'davit.runtime.load-summarised':
      return { ...next, load: { running: event.data.running, waiting: event.data.waiting, at: since } };
    case 'davit.runtime.traffic-failed':
      return { ...next, traffic: latestReports(state.traffic ?? [], event) };
  }
}

/** More gateways than this say nothing new of one replica. */
const REPORTERS_KEPT = 16;

function latestReports(
  before: readonly TrafficReport[],
  { data, time: at }: EventOf<'runtime'> & { readonly type: 'davit.runtime.traffic-failed' },
): readonly TrafficReport[] {
  const { reporter, requests, refused, timeouts, status5xx } = data;
  const others = before.filter((report) => report.reporter !== reporter);
  return [...others, { reporter, at, requests, refused, timeouts, status5xx }].slice(-REPORTERS_KEPT);
}
