import { empty, json, type WireReply, type WireRequest } from '../../http/wire.js';
import { isAtLeast } from '../profiles.js';
import { type ServerState } from '../state.js';

/** What vLLM answers only with `VLLM_SERVER_DEV_MODE=1`; undefined for any other path, and before 0.8. */
export function vllmDevMode({ method, url }: WireRequest, state: ServerState): WireReply | undefined {
  if (!isAtLeast(state.config.version, '0.8.0')) return undefined;
  switch (`${method} ${url.pathname}`) {
    case 'GET /is_sleeping':
      return state.dead ? empty(500) : json(200, { is_sleeping: state.sleepLevel !== 0 });
    case 'POST /sleep':
      if (state.dead) return empty(500);
      state.sleep.sleep(url.searchParams.get('level') === '2' ? 2 : 1);
      return empty(200);
    case 'POST /wake_up':
      if (state.dead) return empty(500);
      state.sleep.wake(url.searchParams.getAll('tags'));
      return empty(200);
    default:
      return undefined;
  }
}
