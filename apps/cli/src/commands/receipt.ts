import { type ReceiptFiles, type ReceiptFinding, verifyReceipt } from '@davit/domain';
import { CommandError, exitCodes } from '../exit-codes.js';
import type { Session } from '../session.js';
import { readReceipt, writeReceipt } from './receipt-files.js';
import { qualified } from './rollouts.js';

export interface ReceiptOptions {
  readonly output?: string;
}

/** Fetches the receipt of a rollout, works it out again before it is trusted, and writes it into a directory. */
export async function receipt(session: Session, name: string, options: ReceiptOptions): Promise<void> {
  const id = qualified(name);
  const { files } = await session.client.receipt(id);
  const directory = options.output ?? `receipt-${id.replace('/', '-')}`;
  await writeReceipt(directory, files);
  const findings = verifyReceipt(files);
  const answer = { rollout: id, directory, files: Object.keys(files).toSorted(), findings };
  session.print(answer, () => [`${directory}: ${answer.files.length} files`, ...findings.map(findingLine)].join('\n'));
  conclude(findings, directory);
}

/** Works a receipt out again from its own files; asks no server. */
export async function verify(session: Session, directory: string): Promise<void> {
  const files: ReceiptFiles = await readReceipt(directory);
  const findings = verifyReceipt(files);
  const answer = { directory, files: Object.keys(files).length, findings };
  session.print(answer, () =>
    findings.length === 0
      ? `${directory}: ${answer.files} files; digests, approvals, bounds, load, verdict, spend and text follow from what was measured`
      : findings.map(findingLine).join('\n'),
  );
  conclude(findings, directory);
}

const findingLine = ({ check, where, detail }: ReceiptFinding): string => `${check.padEnd(9)} ${where}: ${detail}`;

function conclude(findings: readonly ReceiptFinding[], directory: string): void {
  if (findings.length === 0) return;
  const checks = [...new Set(findings.map(({ check }) => check))].join(', ');
  throw new CommandError(
    exitCodes.receiptWrong,
    `error  ${directory} is not what was measured: ${checks}.\n       Fetch it again with \`davit receipt\`, or ask whoever gave it to you.`,
  );
}
