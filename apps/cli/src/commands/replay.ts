import type { ReplayRequest } from '@davit/contracts';
import { instantOf } from '../instants.js';
import { readManifest } from '../manifest.js';
import { replayText } from '../output/replay-views.js';
import type { Session } from '../session.js';

export interface ReplayOptions {
  readonly file?: string;
  readonly from?: string;
  readonly to?: string;
  readonly deployment?: string;
}

/** Takes recorded decisions again under another policy. What is wrong about the policy is for the server to say. */
export async function replay(session: Session, options: ReplayOptions): Promise<void> {
  const { file, from, to, deployment } = options;
  const nowMs = session.nowMs();
  const view = await session.client.replay({
    ...(from === undefined ? {} : { from: instantOf(from, nowMs) }),
    ...(to === undefined ? {} : { to: instantOf(to, nowMs) }),
    ...(deployment === undefined ? {} : { deployment }),
    ...(file === undefined ? {} : { policy: readManifest(file) as ReplayRequest['policy'] }),
  });
  session.print(view, () => replayText(view));
}
