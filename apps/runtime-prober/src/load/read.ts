import type { HttpClient } from '@davit/ports';
import type { Engine } from '../engines/engine.js';
import { ExpositionScanner, SCAN_LIMITS, type ScanLimits } from '../exposition/scanner.js';
import { type LoadReading, NOTHING_SAID, loadOf } from '../metrics/load.js';
import { wantedNames } from '../metrics/names.js';
import { type ProbeTarget, askFollowing } from '../probe/target.js';

/**
 * Asks a server for its load, and reads the answer as it arrives; whatever goes wrong, it did not say. Reading stops, and the
 * connection is closed, at the most bytes that a body may have.
 */
export async function fetchLoad(
  engine: Engine,
  target: ProbeTarget,
  http: HttpClient,
  timeoutMs: number,
  limits: ScanLimits = SCAN_LIMITS,
): Promise<LoadReading> {
  if (!engine.metrics) return NOTHING_SAID;
  const { path, needsKey } = engine.metrics;
  const names = wantedNames(engine.metrics);
  let scanner = new ExpositionScanner(names, limits);
  const outcome = await askFollowing(http, target, () => {
    const own = new ExpositionScanner(names, limits);
    scanner = own;
    return {
      ...{ method: 'GET', path, needsKey, timeoutMs, maxBytes: limits.maxBytes },
      onBytes: (piece) => void own.push(piece),
    };
  });
  if (outcome.kind === 'failure' || outcome.status !== 200) return NOTHING_SAID;
  return loadOf(scanner.end(), engine.metrics, target.expectedModel);
}
