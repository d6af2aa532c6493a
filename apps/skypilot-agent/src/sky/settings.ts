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
  /** Launches and terminations at once: each costs the API server a long worker, and this host a process. */
  readonly maxOrders: number;
  /** Other commands at once. */
  readonly maxQuestions: number;
  /** Oldest look at the fleet that is good enough for a replica that starts, or serves. */
  readonly launchingAgeMs: number;
  readonly steadyAgeMs: number;
}

export interface SkyTimeouts {
  readonly infoMs: number;
  readonly statusMs: number;
  readonly launchMs: number;
  readonly endpointMs: number;
  readonly logsMs: number;
  readonly downMs: number;
}

export const DEFAULT_SKY_TIMEOUTS: SkyTimeouts = {
  infoMs: 15_000,
  statusMs: 60_000,
  launchMs: 120_000,
  endpointMs: 60_000,
  logsMs: 60_000,
  downMs: 600_000,
};

export const DEFAULT_SKY_SETTINGS = {
  apiServerUrl: null,
  apiServerToken: null,
  timeouts: DEFAULT_SKY_TIMEOUTS,
  maxOrders: 8,
  maxQuestions: 8,
  launchingAgeMs: 1_000,
  steadyAgeMs: 10_000,
} as const;

/** The user hash of one installation, in SkyPilot's form of eight hexadecimal digits. */
export const skyUserIdOf = (installation: string): string =>
  createHash('sha256').update(`davit:${installation}`).digest('hex').slice(0, 8);
