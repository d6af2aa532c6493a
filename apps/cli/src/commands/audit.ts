import { InvalidEventError, counted, parseRecordedEvent } from '@davit/contracts';
import { AUDIT_RULES, LAWS, type Violation, auditLog } from '@davit/domain';
import { CommandError, exitCodes } from '../exit-codes.js';
import type { Session } from '../session.js';

export interface AuditOptions {
  readonly from: string;
}

const PAGE = 1_000;
/** The laws, and what else users ask of their own log. */
const RULES = [...LAWS, ...AUDIT_RULES];

/**
 * Holds the log against the laws, page by page, and tells each finding when it is found. Whatever the length of the log, only
 * one page and what is still open is held in memory.
 * @throws CommandError with exit code 6 when something was found
 */
export async function audit(session: Session, options: AuditOptions): Promise<void> {
  const from = positionOf(options.from);
  const checker = auditLog({}, RULES);
  let events = 0;
  let findings = 0;
  const tell = (found: readonly Violation[]): void => {
    for (const violation of found.filter(({ position }) => position >= from)) {
      findings += 1;
      session.print(violation, () => findingText(violation));
    }
  };
  let head: number | undefined;
  for (;;) {
    const page = await session.client.page(events, PAGE);
    // What is written meanwhile belongs to the next audit: a busy log would have no end.
    head ??= page.head;
    for (const item of page.items) {
      const event = read(item);
      if (event.position > head) break;
      tell(checker.see(event));
      events = event.position;
    }
    progress(session, events, head);
    if (events >= head || page.items.length === 0) break;
  }
  tell(checker.end(false));
  session.print({ events, rules: RULES.length, findings }, () => summary(events, from, findings));
  if (findings > 0)
    throw new CommandError(exitCodes.lawsBroken, `${counted(findings, 'finding')}; see the positions above.`);
}

function read(item: unknown): ReturnType<typeof parseRecordedEvent> {
  try {
    return parseRecordedEvent(item);
  } catch (error) {
    if (!(error instanceof InvalidEventError)) throw error;
    throw new CommandError(
      exitCodes.failure,
      `error  ${error.message}.\n       This davit cannot read the log further. Use one that is as new as the services.`,
      { position: error.position },
    );
  }
}

/** Law, position, what it is about, what is wrong, and the positions that it rests on. */
export function findingText({ law, position, about, message, evidence }: Violation): string {
  const rests = evidence.length === 0 ? '' : ` (rests on ${evidence.join(', ')})`;
  return `${String(position).padStart(7)}  ${law}  ${about}: ${message}${rests}`;
}

const summary = (events: number, from: number, findings: number): string =>
  `${counted(events, 'event')} against ${RULES.length} laws and rules${from > 1 ? `, told from position ${from} on` : ''}: ${
    findings === 0 ? 'nothing found' : counted(findings, 'finding')
  }`;

function progress({ err, json }: Session, position: number, head: number): void {
  if (json || !err.isTTY || head <= PAGE) return;
  err.write(`\r${position} of ${head} events${position >= head ? '\n' : ''}`);
}

function positionOf(text: string): number {
  const position = Number(text);
  if (/^\d{1,15}$/.test(text) && position >= 1) return position;
  throw new CommandError(exitCodes.badInput, `error  --from "${text}" is not a position; write 1 or more.`);
}
