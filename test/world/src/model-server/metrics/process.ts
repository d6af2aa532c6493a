import { type ServerState } from '../state.js';
import { type Exposition } from './exposition.js';

/** What Python's client tells of its own process, and the instrumented routes. Several processes tell nothing of themselves. */
export function pythonProcess(out: Exposition, state: ServerState): void {
  if (state.config.apiServers === 1) {
    const generations = ['0', '1', '2'].map((generation) => [{ generation }, 0] as const);
    // Collectors of the process have no moment of creation, so these are written as they are.
    out.rows('python_gc_objects_collected_total', 'Objects collected.', 'counter', generations);
    out.gauge('python_info', 'Python platform.', [
      [{ implementation: 'CPython', major: '3', minor: '12', patchlevel: '8', version: '3.12.8' }, 1],
    ]);
    out.gauge('process_resident_memory_bytes', 'Resident memory.', [[{}, 4_829_184_000]]);
    out.gauge('process_start_time_seconds', 'Start of the process.', [[{}, state.startedAtMs / 1000]]);
  }
  out.rows('http_requests_total', 'Requests by route.', 'counter', state.http.rows());
}
