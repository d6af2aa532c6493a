import { CommandError, exitCodes } from '../exit-codes.js';
import type { Session } from '../session.js';

export interface ExportOptions {
  readonly after: string;
  readonly category?: string;
  readonly deployment?: string;
}

const PAGE = 1_000;

/** Writes events as lines of JSON up to the end that the log had when it began, as fast as the reader takes them. */
export async function exportEvents(session: Session, options: ExportOptions): Promise<void> {
  const { after, category, deployment } = options;
  if (!/^\d{1,15}$/.test(after))
    throw new CommandError(exitCodes.badInput, `error  --after "${after}" is not a position; write 0 or more.`);
  const filter = {
    ...(category === undefined ? {} : { category }),
    ...(deployment === undefined ? {} : { deployment }),
  };
  let end: number | undefined;
  for (let position = Number(after); ;) {
    const { items, next, head } = await session.client.exportPage({ after: position, limit: PAGE, ...filter });
    end ??= head;
    for (const item of items) {
      if (item.position > end) return;
      if (!session.out.write(`${JSON.stringify(item)}\n`)) await drained(session.out);
    }
    if (next <= position || next >= end) return;
    position = next;
  }
}

const drained = (out: NodeJS.WriteStream): Promise<void> => new Promise((resolve) => out.once('drain', resolve));
