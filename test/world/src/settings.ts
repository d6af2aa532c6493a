import { DEFAULT_TIMINGS } from './timings.js';
import { type TimingOverrides } from './world.js';

export interface WorldSettings {
  readonly directory: string;
  /** Control port; 0 takes a free one. */
  readonly port: number;
  readonly timings: TimingOverrides;
  readonly skyVersion: string | undefined;
  readonly runPodPerMinute: number;
  readonly vastMinIntervalScale: number;
  /** WORLD_SKY_CLOUDS=none: SkyPilot has no account anywhere. */
  readonly skyCloudsEnabled: boolean;
}

/** Reads the environment of a world process. Times are milliseconds at speed 1; WORLD_SPEED 2 halves them. */
export function settingsFrom(env: Readonly<Record<string, string | undefined>>): WorldSettings {
  const directory = env['WORLD_DIR'];
  if (!directory) throw new Error('WORLD_DIR must name the directory for world.json, bin/sky and the ledger');
  const speed = numberFrom(env, 'WORLD_SPEED', 1);
  const time = (name: string, standard: number): number => numberFrom(env, name, standard) / speed;
  return {
    directory,
    port: numberFrom(env, 'WORLD_PORT', 0),
    timings: {
      scheduleMs: time('WORLD_SCHEDULE_MS', DEFAULT_TIMINGS.scheduleMs),
      createMs: time('WORLD_CREATE_MS', DEFAULT_TIMINGS.createMs),
      provisionMs: time('WORLD_PROVISION_MS', DEFAULT_TIMINGS.provisionMs),
      portMs: time('WORLD_ENDPOINT_MS', DEFAULT_TIMINGS.portMs),
      terminateMs: time('WORLD_TERMINATE_MS', DEFAULT_TIMINGS.terminateMs),
      loadMs: time('WORLD_LOAD_MS', DEFAULT_TIMINGS.loadMs),
      vast: Object.fromEntries(Object.entries(DEFAULT_TIMINGS.vast).map(([name, ms]) => [name, ms / speed])),
      refreshDaemonMs: time('WORLD_REFRESH_MS', DEFAULT_TIMINGS.refreshDaemonMs),
    },
    skyVersion: env['WORLD_SKY_VERSION'],
    skyCloudsEnabled: env['WORLD_SKY_CLOUDS'] !== 'none',
    runPodPerMinute: numberFrom(env, 'WORLD_RUNPOD_PER_MINUTE', 0),
    vastMinIntervalScale: numberFrom(env, 'WORLD_VAST_RATE_SCALE', 0),
  };
}

function numberFrom(env: Readonly<Record<string, string | undefined>>, name: string, standard: number): number {
  const given = env[name];
  if (given === undefined || given === '') return standard;
  const value = Number(given);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} must be a number of at least 0, got "${given}"`);
  return value;
}
