import { digestOfText } from '../../canonical.js';
import { RECEIPT_FILE, type ReceiptFiles, receiptFiles } from '../files.js';
import { receiptOf } from '../receipt-of.js';
import type { ReceiptSources } from '../receipt.js';
import { baselineFindings } from './baseline.js';
import { boundsFindings } from './bounds.js';
import { approvalFindings, verdictFindings } from './decision.js';
import { type ReceiptFinding, differences, finding } from './finding.js';
import { loadFindings } from './load.js';
import { json, readEvents, readEvidenceFiles } from './read.js';

/**
 * Works a receipt out again from its own events and evidence, without any server: what anybody can do who was handed the files.
 * Nothing found: every figure, table and picture follows from what was measured, and every measurement is the one that an event
 * of the log named. That the events are those of the log, only the log can tell.
 */
export function verifyReceipt(files: ReceiptFiles): readonly ReceiptFinding[] {
  const events = readEvents(files);
  const evidence = readEvidenceFiles(files);
  const sources: ReceiptSources = { events: events.value, evidence: evidence.value };
  return [
    ...sealFindings(files),
    ...events.findings,
    ...evidence.findings,
    ...missingFindings(sources),
    ...derivedFindings(files, sources),
  ];
}

/** Every file is there, is the one that was sealed, and no other is. */
function sealFindings(files: ReceiptFiles): readonly ReceiptFinding[] {
  const parts = partsOf(json(files[RECEIPT_FILE]));
  if (parts === undefined) return [finding('files', RECEIPT_FILE, 'is missing, or names no parts')];
  const named = new Set([RECEIPT_FILE, ...parts.map(({ path }) => path)]);
  return [
    ...parts.flatMap(({ path, sha256 }) => {
      const text = files[path];
      if (text === undefined) return [finding('files', path, 'is missing')];
      return digestOfText(text) === sha256 ? [] : [finding('digests', path, 'was changed after it was sealed')];
    }),
    ...Object.keys(files)
      .filter((path) => !named.has(path))
      .map((path) => finding('files', path, 'is no part of the receipt')),
  ];
}

function partsOf(receipt: unknown): readonly { path: string; sha256: string }[] | undefined {
  const parts = typeof receipt === 'object' && receipt !== null && 'parts' in receipt ? receipt.parts : undefined;
  if (!Array.isArray(parts)) return undefined;
  return parts.map((part: unknown) => {
    const { path, sha256 }: { path?: unknown; sha256?: unknown } =
      typeof part === 'object' && part !== null ? part : {};
    return { path: textOf(path), sha256: textOf(sha256) };
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function missingFindings(sources: ReceiptSources): readonly ReceiptFinding[] {
  const entries = receiptOf(sources)?.evidence ?? [];
  return entries
    .filter(({ kind }) => kind === null)
    .map(({ digest, citedAt }) => finding('evidence', digest, `is cited at ${citedAt.join(', ')} and is not there`));
}

function derivedFindings(files: ReceiptFiles, sources: ReceiptSources): readonly ReceiptFinding[] {
  const receipt = receiptOf(sources);
  const again = receiptFiles(sources);
  if (!receipt || !again) return [finding('events', 'events.json', 'tells of no rollout')];
  return [
    ...approvalFindings(sources),
    ...boundsFindings(receipt),
    ...loadFindings(sources),
    ...baselineFindings(sources),
    ...verdictFindings(sources),
    ...differences(json(files[RECEIPT_FILE]), json(again[RECEIPT_FILE])).map((path) =>
      finding('receipt', `${RECEIPT_FILE}: ${path}`, 'does not follow from the events and their evidence'),
    ),
    ...Object.keys(again)
      .filter((path) => path !== RECEIPT_FILE && files[path] !== undefined && files[path] !== again[path])
      .map((path) => finding('receipt', path, 'does not follow from the events and their evidence')),
  ];
}
