import { instantOf } from '../instants.js';
import { diffText } from '../output/diff-views.js';
import type { Session } from '../session.js';

export interface DiffOptions {
  readonly deployment?: string;
  readonly limit?: string;
}

/** Says what changed between two instants, and which event changed it. */
export async function diff(session: Session, from: string, to = 'now', options: DiffOptions = {}): Promise<void> {
  const nowMs = session.nowMs();
  const view = await session.client.diff({
    from: instantOf(from, nowMs),
    // The server's clock decides what now is.
    ...(to === 'now' ? {} : { to: instantOf(to, nowMs) }),
    ...options,
  });
  session.print(view, () => diffText(view));
}
