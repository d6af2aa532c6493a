import { canonicalJson, digestOfText } from '../canonical.js';
import { lastBundle } from './derive/spend.js';
import { receiptOf } from './receipt-of.js';
import type { Receipt, ReceiptSources } from './receipt.js';
import { receiptMarkdown } from './render/markdown.js';
import { plotsOf, quantileSeries } from './render/plots.js';

/** A receipt as files, by path below its directory. */
export type ReceiptFiles = Readonly<Record<string, string>>;

export const RECEIPT_FILE = 'receipt.json';
export const EVENTS_FILE = 'events.json';

/** A receipt with the SHA-256 of every file beside it. */
export type SealedReceipt = Receipt & { readonly parts: readonly { readonly path: string; readonly sha256: string }[] };

/** All files of a receipt; undefined where the events tell of no rollout. Equal sources give equal bytes. */
export function receiptFiles(sources: ReceiptSources): ReceiptFiles | undefined {
  const receipt = receiptOf(sources);
  if (!receipt) return undefined;
  const bundle = lastBundle(sources)?.value;
  const p95 = (signal: 'latency' | 'queueTime'): readonly (number | null)[] =>
    (bundle ? quantileSeries(bundle, signal, [0.95]) : []).flatMap(({ points }) => points.map(({ value }) => value));
  const plots = plotsOf(receipt, sources);
  const cited = new Set(receipt.evidence.map(({ digest }) => digest));
  const parts: ReceiptFiles = {
    'receipt.md': receiptMarkdown(receipt, plots, { latencyP95: p95('latency'), queueP95: p95('queueTime') }),
    [EVENTS_FILE]: `${JSON.stringify(sources.events, undefined, 1)}\n`,
    ...plots,
    ...Object.fromEntries(
      sources.evidence
        .filter(({ digest }) => cited.has(digest))
        .map(({ kind, digest, value }) => [`evidence/${kind}-${digest}.json`, canonicalJson(value)]),
    ),
  };
  const sealed: SealedReceipt = {
    ...receipt,
    parts: Object.keys(parts)
      .toSorted()
      .map((path) => ({ path, sha256: digestOfText(parts[path] ?? '') })),
  };
  return { [RECEIPT_FILE]: `${JSON.stringify(sealed, undefined, 2)}\n`, ...parts };
}
