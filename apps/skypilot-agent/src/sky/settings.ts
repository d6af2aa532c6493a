import { createHash } from 'node:crypto';

/** How this agent runs `sky`. */
export interface SkySettings {
  /** Program name or path. */
  readonly binary: string;
  /** Home of SkyPilot alone: it rewrites the SSH settings of whoever's home it runs in. */
  readonly home: string;
  /** Where to look programs up. */
  readonly path: string;
  /** Fixes SkyPilot's user, by whose hash it finds its own machines again. */
  readonly userId: string;
  readonly apiServerUrl: string | null;
  readonly apiServerToken: string | null;
  readonly timeouts: SkyTimeouts;
  /** Launches at once, by cloud: each costs the API server a long worker, and this host a process. */
  readonly launches: LaunchSlots;
  /** Terminations at once. They have slots of their own, so that launches never hold them up. */
  readonly maxDeletions: number;
  /** Other commands at once, of each kind. */
  readonly maxQuestions: number;
  /** Oldest look at the fleet that is good enough for a replica that starts, or serves. */
  readonly launchingAgeMs: number;
  readonly steadyAgeMs: number;
  /** Oldest look at a cloud's own list that is good enough to tell whether a machine was rented twice. */
  readonly witnessAgeMs: number;
  readonly diagnosis: DiagnosisSettings;
}

/** By name of the cloud; `*` stands for every cloud that is not named. */
export type LaunchSlots = Readonly<Record<string, number>> & { readonly '*': number };

export interface DiagnosisSettings {
  /** Logs of a start are read once it is this old, or has failed. */
  readonly afterMs: number;
  /** A start that shows no reason is called stuck at this age. */
  readonly stuckMs: number;
  /** Least time between two readings for one replica. */
  readonly everyMs: number;
}

export interface SkyTimeouts {
  readonly statusMs: number;
  readonly launchMs: number;
  readonly endpointMs: number;
  readonly logsMs: number;
  readonly cancelMs: number;
  /** Ending the client does not end the termination at the API server, so there is no use in waiting for all of it. */
  readonly downMs: number;
}

export const DEFAULT_SKY_TIMEOUTS: SkyTimeouts = {
  statusMs: 60_000,
  launchMs: 120_000,
  endpointMs: 60_000,
  logsMs: 60_000,
  cancelMs: 60_000,
  downMs: 90_000,
};

/** Concurrent launches at Vast may buy one offer twice (skypilot #9117). */
export const DEFAULT_LAUNCH_SLOTS: LaunchSlots = { '*': 8, vast: 1 };

export const DEFAULT_SKY_SETTINGS = {
  apiServerUrl: null,
  apiServerToken: null,
  timeouts: DEFAULT_SKY_TIMEOUTS,
  launches: DEFAULT_LAUNCH_SLOTS,
  maxDeletions: 8,
  maxQuestions: 8,
  launchingAgeMs: 1_000,
  steadyAgeMs: 10_000,
  witnessAgeMs: 30_000,
  diagnosis: { afterMs: 180_000, stuckMs: 900_000, everyMs: 60_000 },
} as const;

/** Reads `runpod=8,aws=4`; clouds that are not named keep their usual number, `*` stands for all of them. */
export function launchSlotsOf(text: string): LaunchSlots | undefined {
  const entries = text.split(',').map((entry) => /^\s*([a-z][a-z0-9]*|\*)\s*=\s*([1-9]\d{0,2})\s*$/.exec(entry));
  let slots = DEFAULT_LAUNCH_SLOTS;
  for (const entry of entries) {
    if (!entry) return undefined;
    const [, cloud = '', count] = entry;
    slots = { ...slots, [cloud]: Number(count) };
  }
  return slots;
}

/** The user hash of one installation, in SkyPilot's form of eight hexadecimal digits. */
export const skyUserIdOf = (installation: string): string =>
  createHash('sha256').update(`davit:${installation}`).digest('hex').slice(0, 8);
