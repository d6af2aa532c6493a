import path from 'node:path';
import { davit } from '../cli.js';

/** A receipt on disk, and whether working it out again offline came to the same. */
export interface KeptReceipt {
  readonly directory: string;
  readonly verified: boolean;
}

export interface ReceiptParts {
  /** Address of the front door. */
  readonly url: string;
  /** Where receipts are kept. */
  readonly folder: string;
  readonly tell: (step: string) => void;
  readonly show: (text: string) => void;
}

/** Nothing listens there: what is verified with it is verified offline. */
const NOBODY = 'http://127.0.0.1:9';

/** Fetches the receipt of a rollout as an operator would, and verifies it without any server. */
export async function keepReceipt({ url, folder, tell, show }: ReceiptParts, rolloutId: string): Promise<KeptReceipt> {
  const directory = path.join(folder, rolloutId.replace('/', '-'));
  const fetched = await davit(url, ['receipt', rolloutId, '-o', directory]);
  tell(`$ davit receipt ${rolloutId} -o ${directory}`);
  show(fetched.stdout + fetched.stderr);
  const verified = await davit(NOBODY, ['receipt', 'verify', directory]);
  tell(`$ davit receipt verify ${directory}`);
  show(verified.stdout + verified.stderr);
  return { directory, verified: fetched.exitCode === 0 && verified.exitCode === 0 };
}
