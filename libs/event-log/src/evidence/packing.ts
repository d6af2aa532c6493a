import { type EvidenceKind, evidenceKind, readEvidence } from '@davit/contracts';
import { canonicalJson } from '@davit/domain';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { CorruptEvidenceError, InvalidEvidenceError, type KeptEvidence, MAX_EVIDENCE_BYTES } from './store.js';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** UTF-8 has no bytes for half a surrogate pair: what is read back would be another text. */
const HALF_A_PAIR = /\\ud[89a-f][0-9a-f]{2}/;

export interface WrittenEvidence<Kind extends EvidenceKind = EvidenceKind> {
  readonly kept: KeptEvidence<Kind>;
  /** Canonical JSON. */
  readonly text: string;
}

/** @throws InvalidEvidenceError */
export function written<Kind extends EvidenceKind>(kind: Kind, value: unknown): WrittenEvidence<Kind> {
  const reading = readEvidence(kind, value);
  if (!reading.ok) throw new InvalidEvidenceError(kind, reading.problems.join('; '));
  const text = canonicalJson(reading.value);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_EVIDENCE_BYTES) {
    throw new InvalidEvidenceError(kind, `it has ${bytes} bytes, ${MAX_EVIDENCE_BYTES} are allowed`);
  }
  if (HALF_A_PAIR.test(text)) throw new InvalidEvidenceError(kind, 'it holds half a surrogate pair');
  const kept = { kind, digest: hash('sha256', text), value: reading.value };
  return { kept, text };
}

/** As {@link written}, its text compressed. @throws InvalidEvidenceError */
export async function pack<Kind extends EvidenceKind>(
  kind: Kind,
  value: unknown,
): Promise<{ readonly kept: KeptEvidence<Kind>; readonly content: Buffer }> {
  const { kept, text } = written(kind, value);
  return { kept, content: await compress(text) };
}

/** @throws CorruptEvidenceError unless the content has this digest and its kind allows it */
export async function unpack(digest: string, kind: string, content: Buffer): Promise<KeptEvidence> {
  const text = await expand(content, { maxOutputLength: MAX_EVIDENCE_BYTES }).then(
    (bytes) => bytes.toString('utf8'),
    () => {
      throw new CorruptEvidenceError(digest, 'it cannot be expanded');
    },
  );
  return read(digest, kind, text);
}

/** @throws CorruptEvidenceError unless the text has this digest and its kind allows it */
export function read(digest: string, kind: string, text: string): KeptEvidence {
  if (hash('sha256', text) !== digest) throw new CorruptEvidenceError(digest, 'its digest is another one');
  const known = evidenceKind.safeParse(kind);
  if (!known.success) throw new CorruptEvidenceError(digest, 'its kind is unknown to this release');
  const reading = readEvidence(known.data, JSON.parse(text));
  if (!reading.ok) throw new CorruptEvidenceError(digest, reading.problems.join('; '));
  return { kind: known.data, digest, value: reading.value };
}
