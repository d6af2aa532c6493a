import { empty, json, type WireReply, type WireRequest } from '../../http/wire.js';
import { isAtLeast, WATCHED_RELEASE } from '../profiles.js';
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
      return done(state, { level: state.sleep.level });
    case 'POST /wake_up':
      if (state.dead) return empty(500);
      state.sleep.wake(url.searchParams.getAll('tags'));
      return done(state, { tags: url.searchParams.has('tags') ? url.searchParams.getAll('tags') : null });
    default:
      return undefined;
  }
}

/** Older releases answer with nothing. */
function done({ config, sleep }: ServerState, about: object): WireReply {
  if (!isAtLeast(config.version, WATCHED_RELEASE)) return empty(200);
  return json(200, { status: sleep.level === 0 ? 'awake' : 'sleeping', ...about });
}
