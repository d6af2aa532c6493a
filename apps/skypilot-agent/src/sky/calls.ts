import type { SkyTimeouts } from './settings.js';

/** Which queue a call waits in, so that slow calls of one kind never hold up another kind. */
export type SkyLane = 'look' | 'address' | 'launch' | 'end' | 'log';

interface SkyCallSpec {
  /** The subcommand, as fault rules and call logs name it. */
  readonly verb: string;
  readonly mutates: boolean;
  readonly lane: SkyLane;
  readonly timeout: keyof SkyTimeouts;
  // The parameters differ from call to call; `SkyCallArguments` gives each its own.
  readonly args: (...given: never[]) => readonly string[];
}

const TAIL = '200';

/** Every call that the adapter makes to `sky`, and nothing else can be asked of it. */
export const SKY_CALLS = {
  'list-launches': {
    verb: 'api status',
    mutates: false,
    lane: 'look',
    timeout: 'statusMs',
    args: () => ['api', 'status', '-o', 'json', '-v', '-l', 'none'],
  },
  'find-launches': {
    verb: 'api status',
    mutates: false,
    lane: 'look',
    timeout: 'statusMs',
    args: (cluster: string) => ['api', 'status', '-o', 'json', '-v', '-c', cluster, '-l', 'none'],
  },
  'list-clusters': {
    verb: 'status',
    mutates: false,
    lane: 'look',
    timeout: 'statusMs',
    args: () => [
      ...['status', '-o', 'json', '--all-users'],
      ...['--no-show-managed-jobs', '--no-show-services', '--no-show-pools'],
    ],
  },
  'find-cluster': {
    verb: 'status',
    mutates: false,
    lane: 'look',
    timeout: 'statusMs',
    args: (cluster: string) => ['status', '-o', 'json', cluster],
  },
  'find-address': {
    verb: 'status --endpoint',
    mutates: false,
    lane: 'address',
    timeout: 'endpointMs',
    args: (cluster: string, port: number) => ['status', cluster, '--endpoint', String(port)],
  },
  launch: {
    verb: 'launch',
    mutates: true,
    lane: 'launch',
    timeout: 'launchMs',
    args: (cluster: string, secretNames: readonly string[], taskFile: string) => [
      ...['launch', '-c', cluster, '-y', '--async'],
      ...secretNames.flatMap((name) => ['--secret', name]),
      taskFile,
    ],
  },
  'cancel-launch': {
    verb: 'api cancel',
    mutates: true,
    lane: 'end',
    timeout: 'cancelMs',
    args: (request: string) => ['api', 'cancel', request, '-y'],
  },
  down: {
    verb: 'down',
    mutates: true,
    lane: 'end',
    timeout: 'downMs',
    args: (cluster: string) => ['down', '-y', cluster],
  },
  'request-log': {
    verb: 'api logs',
    mutates: false,
    lane: 'log',
    timeout: 'logsMs',
    args: (request: string) => ['api', 'logs', request, '--no-follow', '--tail', TAIL],
  },
  /** Of a request that has ended: only who follows is told how it ended (SkyPilot 0.14.1). */
  'request-outcome': {
    verb: 'api logs',
    mutates: false,
    lane: 'log',
    timeout: 'logsMs',
    args: (request: string) => ['api', 'logs', request, '--tail', TAIL],
  },
  'provision-log': {
    verb: 'logs',
    mutates: false,
    lane: 'log',
    timeout: 'logsMs',
    args: (cluster: string) => ['logs', cluster, '--provision', '--no-follow', '--tail', TAIL],
  },
  'task-log': {
    verb: 'logs',
    mutates: false,
    lane: 'log',
    timeout: 'logsMs',
    args: (cluster: string) => ['logs', cluster, '--no-follow', '--tail', TAIL],
  },
} as const satisfies Readonly<Record<string, SkyCallSpec>>;

export type SkyCallName = keyof typeof SKY_CALLS;
export type SkyCallArguments<Name extends SkyCallName> = Parameters<(typeof SKY_CALLS)[Name]['args']>;
