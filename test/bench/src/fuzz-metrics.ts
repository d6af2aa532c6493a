import { ExpositionScanner, type Scan, WantedNames, scanExposition } from '@davit/runtime-prober';
import { HostileBodies } from './fuzz/hostile-bodies.js';
import { keyOf, readPlainly } from './fuzz/plain-reader.js';

const DEFAULT_LINES = 5_000_000;
const WANTED = ['up', 'queue:size', 'vllm:num_requests_running'];

/** A body on which two readers do not agree; its bytes and its seed make it again. */
class DisagreementError extends Error {
  constructor(what: string, body: Buffer, seed: number) {
    super(`${what}; seed ${seed}, body ${JSON.stringify(body.toString('latin1'))}`);
    this.name = 'DisagreementError';
  }
}

function argument(index: number, name: string, otherwise: number): number {
  const given = process.argv[index];
  if (given === undefined) return otherwise;
  if (!/^\d{1,12}$/.test(given))
    throw new Error(`The ${name} "${given}" is no whole number. Write for example: npm run fuzz:metrics -- 5000000 7`);
  return Number(given);
}

/** Text that tells all of a scan. Bytes are compared as bytes, so labels are brought back to them. */
function told(scan: Scan): string {
  const { samples, malformed, nonFinite, duplicates, truncated, series } = scan;
  const values = [...samples].map(({ series: { name, pairs }, value, timestamp }) => [
    name,
    ...pairs,
    value,
    timestamp,
  ]);
  return JSON.stringify({ values, malformed, nonFinite, duplicates, truncated, series });
}

function inPieces(body: Buffer, names: WantedNames, bodies: HostileBodies): Scan {
  const scanner = new ExpositionScanner(names);
  for (let at = 0; at < body.length;) {
    const piece = Uint8Array.from(body.subarray(at, (at += 1 + bodies.below(50))));
    scanner.push(piece);
    piece.fill(bodies.below(256)); // whoever hands over a piece may use its memory again
  }
  return scanner.end();
}

/** Values by key. The plain reader works on bytes as characters of their own, so its texts are decoded here. */
function valuesOf({ samples }: Scan): ReadonlyMap<string, number> {
  return new Map(
    [...samples].map(({ series: { name, pairs }, value }) => {
      const labels = Array.from(
        { length: pairs.length / 2 },
        (_, at) => [pairs[at * 2] ?? '', pairs[at * 2 + 1] ?? ''] as const,
      );
      return [keyOf(name, labels), value];
    }),
  );
}

const decoded = (key: string): string => {
  const [name, ...labels] = JSON.parse(key) as [string, ...(readonly [string, string])[]]; // made by keyOf
  return keyOf(
    name,
    labels.map(
      ([label, value]) =>
        [label, new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(value, 'latin1'))] as const,
    ),
  );
};

const lines = argument(2, 'number of lines', DEFAULT_LINES);
const seed = argument(3, 'seed', Date.now() % 1_000_000);
const bodies = new HostileBodies(seed);
const shared = new WantedNames(WANTED);
process.stdout.write(`Reading ${lines} hostile lines, seed ${seed} …\n`);
const startMs = performance.now();
let tried = 0;
let count = 0;
let samples = 0;
const seen = { malformed: 0, nonFinite: 0, duplicates: 0, truncated: 0 };
while (tried < lines) {
  const body = bodies.next();
  count += 1;
  for (const byte of body) if (byte === 10) tried += 1;
  const scan = scanExposition(body, shared);
  const whole = told(scan);
  if (count % 4 === 0 && told(scanExposition(body, new WantedNames(WANTED))) !== whole)
    throw new DisagreementError('what was read before matters', body, seed);
  if (told(inPieces(body, shared, bodies)) !== whole) throw new DisagreementError('pieces matter', body, seed);
  const plain = readPlainly(body, shared.names);
  const { malformed, nonFinite, duplicates, truncated } = plain;
  const same =
    scan.malformed === malformed &&
    scan.nonFinite === nonFinite &&
    scan.duplicates === duplicates &&
    scan.truncated === truncated;
  if (!same) throw new DisagreementError(`${whole} here, ${JSON.stringify(plain)} there`, body, seed);
  const values = valuesOf(scan);
  // Two texts of invalid UTF-8 may become one; such bodies are told apart by their counts alone.
  const wanted = new Map([...plain.values].map(([key, value]) => [decoded(key), value]));
  const isReplaced = [...values.keys()].some((key) => key.includes('\ufffd'));
  if (!isReplaced && values.size !== wanted.size) throw new DisagreementError('other series', body, seed);
  for (const [key, value] of values) {
    if (!Number.isFinite(value)) throw new DisagreementError(`${value} is not finite`, body, seed);
    if (!isReplaced && wanted.get(key) !== value)
      throw new DisagreementError(`${key} is ${value} here, ${wanted.get(key)} there`, body, seed);
  }
  samples += values.size;
  seen.malformed += malformed;
  seen.nonFinite += nonFinite;
  seen.duplicates += duplicates;
  seen.truncated += Number(truncated);
}
const seconds = (performance.now() - startMs) / 1_000;
process.stdout.write(
  `${tried} lines in ${count} bodies, ${samples} wanted samples, ${JSON.stringify(seen)}, in ${seconds.toFixed(0)} s: all readers agree.\n`,
);
