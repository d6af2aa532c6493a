import { CommandError, exitCodes } from '../exit-codes.js';
import { instantOf } from '../instants.js';
import { readManifest } from '../manifest.js';
import { replayText } from '../output/replay-views.js';
import type { Session } from '../session.js';

export interface ReplayOptions {
  readonly policy?: string;
  /** `placement.objective=readiness`. */
  readonly set?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly deployment?: string;
}

/** Takes recorded decisions again under another policy. What is wrong about the policy is for the server to say. */
export async function replay(session: Session, options: ReplayOptions): Promise<void> {
  const { policy: file, set = [], from, to, deployment } = options;
  const nowMs = session.nowMs();
  const policy = set.reduce(withSetting, file === undefined ? {} : objectIn(readManifest(file)));
  const view = await session.client.replay({
    ...(from === undefined ? {} : { from: instantOf(from, nowMs) }),
    ...(to === undefined || to === 'now' ? {} : { to: instantOf(to, nowMs) }),
    ...(deployment === undefined ? {} : { deployment }),
    // The server reads it by its schema.
    policy,
  });
  session.print(view, () => replayText(view));
}

type Values = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown): Values => (typeof value === 'object' && value !== null ? (value as Values) : {}); // the file holds names and values

/** `verdict.minDuration=10m` in what was set before. */
function withSetting(policy: Values, setting: string): Values {
  const [, path, text] = /^([a-zA-Z0-9.]+)=(.*)$/.exec(setting) ?? [];
  if (path === undefined || text === undefined)
    throw new CommandError(
      exitCodes.badInput,
      `error  --set "${setting}" names no value; write for example --set placement.objective=readiness.`,
    );
  return placed(policy, path.split('.'), valueOf(text));
}

function placed(values: Values, [name = '', ...rest]: readonly string[], value: unknown): Values {
  return { ...values, [name]: rest.length === 0 ? value : placed(objectIn(values[name]), rest, value) };
}

/** Numbers and null as they are meant; amounts of money are written in quotes, `"4.00"`, and everything else is text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
