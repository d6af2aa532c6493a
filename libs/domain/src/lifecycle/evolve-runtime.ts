import type { EventOf, RecordedEvent } from '@davit/contracts';
import type { ReplicaState } from './state.js';

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
      const { url, servedModel } = event.data;
      return { ...next, runtime: { status: 'ready', url, servedModel, reason: null, detail: '', since } };
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
  }
}
