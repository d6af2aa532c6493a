import type { HttpClient } from '@davit/ports';
import type { Engine } from '../engines/engine.js';
import { type LoadReading, NOTHING_SAID, loadOf } from '../metrics/load.js';
import { wantedNames } from '../metrics/names.js';
import { MetricsScanner } from '../metrics/scan.js';
import { type ProbeTarget, ask } from '../probe/target.js';

/** One label has made a body of 22 MB (vllm issue 44691); reading stops here and the load is unknown. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Asks a server for its load, and reads the answer as it arrives; whatever goes wrong, it did not say. */
export async function fetchLoad(
  engine: Engine,
  target: ProbeTarget,
  http: HttpClient,
  timeoutMs: number,
): Promise<LoadReading> {
  if (!engine.metrics) return NOTHING_SAID;
  const { path, needsKey } = engine.metrics;
  const scanner = new MetricsScanner(wantedNames(engine.metrics));
  const outcome = await ask(http, target, {
    method: 'GET',
    path,
    needsKey,
    timeoutMs,
    maxBytes: MAX_BYTES,
    onText: (piece) => scanner.push(piece),
  });
  if (outcome.kind === 'failure' || outcome.status !== 200) return NOTHING_SAID;
  return loadOf(scanner.end(), engine.metrics, target.expectedModel);
}
