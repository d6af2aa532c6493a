import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LedgerEntry } from './ledger.js';

/**
 * Keeps the ledger as lines of JSON, each the whole entry after a change, so that leaks can be judged even after the
 * world was killed. A new world appends below a line that says so; it remembers nothing of the old machines.
 */
export function ledgerFile(directory: string, startedAtMs: number): (entry: LedgerEntry) => void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'ledger.ndjson');
  appendFileSync(path, `${JSON.stringify({ worldStartedAtMs: startedAtMs, pid: process.pid })}\n`);
  return (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`);
}
