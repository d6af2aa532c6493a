import { type Sample, parseSample } from './sample.js';

/** The samples of a scrape that somebody wants, and what was wrong with the rest of their lines. */
export type Scan = {
  readonly samples: readonly Sample[];
  readonly malformed: number;
  readonly nonFinite: number;
  readonly duplicates: number;
  /** The body ended inside a line: families may be missing, so what is there cannot be added up to a whole. */
  readonly truncated: boolean;
};

/**
 * Scans a body in the Prometheus text or OpenMetrics format. It never throws; a bad line is dropped alone.
 * @param wanted names of samples to read, as they stand on the wire
 */
export function scanMetrics(body: string, wanted: ReadonlySet<string>): Scan {
  const byIdentity = new Map<string, Sample>();
  const counts = { malformed: 0, nonFinite: 0, duplicates: 0 };
  let unwanted: string | undefined;
  let start = 0;
  let ended = false;
  for (let end = body.indexOf('\n'); end >= 0 && !ended; end = body.indexOf('\n', start)) {
    const from = start;
    start = end + 1;
    // Most lines are of families that nobody wants, and their help: passed over without being cut out of the body.
    if (unwanted !== undefined && body.startsWith(unwanted, from)) continue;
    if (body[from] === '#' && body[from + 2] !== 'E') continue;
    const line = body.slice(from, body[end - 1] === '\r' && end > from ? end - 1 : end);
    ended = line === '# EOF';
    if (isSkipped(line)) continue;
    const sample = parseSample(line, wanted);
    // The series of one family stand together, and most families are wanted by nobody.
    unwanted = sample === 'unwanted' ? headOf(line) : undefined;
    if (sample === 'malformed') counts.malformed += 1;
    else if (sample === 'non-finite') counts.nonFinite += 1;
    else if (sample !== 'unwanted' && !keep(byIdentity, sample)) counts.duplicates += 1;
  }
  // A body that is done may end without a line feed only after its end mark.
  const truncated = !ended && start < body.length && body.slice(start) !== '# EOF';
  return { samples: [...byIdentity.values()], ...counts, truncated };
}

/** The name of a sample with the brace after it; undefined where no labels follow. */
function headOf(line: string): string | undefined {
  const brace = line.indexOf('{');
  return brace < 0 ? undefined : line.slice(0, brace + 1);
}

const SKIPPED = /^[ \t]*(?:#|$)/;
const isSkipped = (line: string): boolean => SKIPPED.test(line);

/** Of repeated series the newest by timestamp stays, of equals the first. False when the series was there before. */
function keep(byIdentity: Map<string, Sample>, sample: Sample): boolean {
  const identity = identityOf(sample);
  const before = byIdentity.get(identity);
  if (!before || newer(sample, before)) byIdentity.set(identity, sample);
  return !before;
}

const identityOf = ({ name, labels }: Sample): string =>
  JSON.stringify([name, ...[...labels].sort(([a], [b]) => (a < b ? -1 : 1))]);

const newer = (a: Sample, b: Sample): boolean => a.timestamp !== null && a.timestamp > (b.timestamp ?? -Infinity);
