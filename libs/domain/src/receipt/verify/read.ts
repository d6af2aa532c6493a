import {
  InvalidEventError,
  type RecordedEvent,
  evidenceKind,
  parseRecordedEvent,
  readEvidence,
} from '@davit/contracts';
import { canonicalJson, digestOfText } from '../../canonical.js';
import { EVENTS_FILE, type ReceiptFiles } from '../files.js';
import type { ReceiptEvidence } from '../receipt.js';
import { type ReceiptFinding, finding } from './finding.js';

export type Read<Value> = { readonly value: Value; readonly findings: readonly ReceiptFinding[] };

export function json(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The events of a receipt, as far as they can be read. */
export function readEvents(files: ReceiptFiles): Read<readonly RecordedEvent[]> {
  const list = json(files[EVENTS_FILE]);
  if (!Array.isArray(list)) return { value: [], findings: [finding('events', EVENTS_FILE, 'is no list of events')] };
  const findings: ReceiptFinding[] = [];
  const value: RecordedEvent[] = [];
  for (const item of list as readonly unknown[]) {
    try {
      value.push(parseRecordedEvent(item));
    } catch (error) {
      if (!(error instanceof InvalidEventError)) throw error;
      findings.push(finding('events', EVENTS_FILE, error.message));
    }
  }
  return { value, findings: [...findings, ...orderFindings(value)] };
}

/** Positions rise, and the rollout's own stream has no hole and no event twice: nothing was left out, put in or moved. */
function orderFindings(events: readonly RecordedEvent[]): readonly ReceiptFinding[] {
  const findings: ReceiptFinding[] = [];
  const versions = new Map<string, number>();
  let position = 0;
  for (const event of events) {
    const where = `${EVENTS_FILE}, position ${event.position}`;
    if (event.position <= position) findings.push(finding('events', where, `stands after position ${position}`));
    position = event.position;
    if (!event.stream.startsWith('rollout/')) continue;
    const expected = (versions.get(event.stream) ?? 0) + 1;
    if (event.version !== expected) {
      findings.push(finding('events', where, `is version ${event.version} of ${event.stream}, ${expected} is due`));
    }
    versions.set(event.stream, event.version);
  }
  if (versions.size > 1) findings.push(finding('events', EVENTS_FILE, 'tells of more than one rollout'));
  return findings;
}

const EVIDENCE_FILE = /^evidence\/([a-z-]+)-([0-9a-f]{64})\.json$/;

/** The evidence of a receipt: a file counts as what it is called only when its content has that digest. */
export function readEvidenceFiles(files: ReceiptFiles): Read<readonly ReceiptEvidence[]> {
  const findings: ReceiptFinding[] = [];
  const value: ReceiptEvidence[] = [];
  for (const path of Object.keys(files).toSorted()) {
    const [, kindText, digest] = EVIDENCE_FILE.exec(path) ?? [];
    if (kindText === undefined || digest === undefined) continue;
    const kind = evidenceKind.safeParse(kindText);
    const text = files[path] ?? '';
    if (!kind.success) {
      findings.push(finding('evidence', path, 'is of an unknown kind'));
      continue;
    }
    if (digestOfText(text) !== digest) {
      findings.push(finding('evidence', path, `has the digest ${digestOfText(text)}`));
      continue;
    }
    const reading = readEvidence(kind.data, json(text));
    if (!reading.ok || canonicalJson(reading.value) !== text) {
      findings.push(finding('evidence', path, reading.ok ? 'is not canonical' : reading.problems.join('; ')));
      continue;
    }
    // The kind and the value that its own schema has read belong together, which TypeScript cannot follow.
    value.push({ kind: kind.data, digest, value: reading.value } as ReceiptEvidence);
  }
  return { value, findings };
}
