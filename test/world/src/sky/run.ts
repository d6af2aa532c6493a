import { pause } from '../clock.js';
import { type CallLog } from '../calls.js';
import { distort, effectOf, type FaultBook, type FaultEffect } from '../faults.js';
import { apiCancel, apiInfo, apiLogs, apiStatus } from './api.js';
import { parseArgs, type Invocation } from './args.js';
import { type SkyBackend } from './backend.js';
import { type SkyCatalogue } from './catalogue.js';
import { type SkyCaller, type SkyContext, type SkyOutcome } from './context.js';
import { down } from './down.js';
import { launch } from './launch.js';
import { gpusList, showGpus } from './gpus-list.js';
import { check, costReport, logs, queue } from './other.js';
import { status } from './status.js';
import { Aborted, Output, SkyError, UsageError } from './text.js';

export interface SkyCommandLine {
  readonly backend: SkyBackend;
  readonly catalogue: SkyCatalogue;
  readonly faults: FaultBook;
  readonly calls: CallLog;
  readonly salt: string;
  readonly version: string;
  readonly futureKeys: boolean;
}

const COMMANDS: Readonly<Record<string, (context: SkyContext) => Promise<void> | void>> = {
  launch,
  status,
  down,
  queue,
  logs,
  check,
  'cost-report': costReport,
  'gpus list': gpusList,
  'show-gpus': showGpus,
  'api status': apiStatus,
  'api info': apiInfo,
  'api logs': apiLogs,
  'api cancel': apiCancel,
};

/** Runs one `sky` command line. Never throws for anything that a caller can do. */
export async function runCommand(sky: SkyCommandLine, caller: SkyCaller): Promise<SkyOutcome> {
  const { backend, catalogue, faults, calls, salt, version, futureKeys } = sky;
  calls.add({
    service: 'sky',
    atMs: backend.clock.nowMs(),
    argv: caller.argv,
    envNames: Object.keys(caller.sealedEnv).sort(),
    secretInArgv: caller.argv.some((argument) => argument.includes('=sealed:')),
  });
  const out = new Output();
  const exited = (exitCode: number): SkyOutcome => ({
    kind: 'exited',
    exitCode,
    stdout: out.stdout,
    stderr: out.stderr,
  });
  if (caller.argv[0] === '--version') {
    out.line(`skypilot, version ${version}`);
    return exited(0);
  }
  let exitCode: number;
  let effects: readonly FaultEffect[] = [];
  try {
    const args = parseArgs(caller.argv);
    effects = faults.take('sky', faultVerb(args), subject(args));
    await pause(backend.clock, effectOf(effects, 'latency')?.ms ?? 0);
    if (effectOf(effects, 'lost-request')) return { kind: 'killed' };
    exitCode = 0;
    if (!refused(args, effects, out))
      await COMMANDS[args.verb]?.({ backend, catalogue, args, caller, out, effects, salt, version, futureKeys });
  } catch (error) {
    exitCode = report(error, out, caller.argv[0] ?? '');
  }
  if (effectOf(effects, 'lost-reply')) return { kind: 'killed' };
  if (effectOf(effects, 'hang')) return { kind: 'hung' };
  const malformed = effectOf(effects, 'malformed');
  if (malformed) out.stdout = distort(out.stdout, malformed.how);
  return exited(exitCode);
}

const faultVerb = (args: Invocation): string =>
  args.verb === 'status' && args.has('--endpoint') && !args.jsonOutput ? 'status --endpoint' : args.verb;

const subject = (args: Invocation): string => args.get('--cluster') ?? args.positional[0] ?? '';

/** An API server that does not let the client in. `api info` and `down` hide it behind exit code 0. */
function refused({ verb }: Invocation, effects: readonly FaultEffect[], out: Output): boolean {
  const refusal = effectOf(effects, 'refusal');
  if (!refusal) return false;
  const error = REFUSALS[refusal.reason];
  if (verb !== 'down' && verb !== 'api info') throw error;
  if (verb === 'api info') {
    out.line('No SkyPilot API server is connected');
    out.line('├── To connect to an existing API server: sky api login');
    out.line('└── To start a local API server: sky api start');
  } else {
    out.line(`\nTerminating cluster...failed. \nReason: ${error.printed}.`);
    out.line('Cluster(s) failed. See details above.');
  }
  return true;
}

const REFUSALS = {
  unreachable: new SkyError(
    'ApiServerConnectionError',
    'Could not connect to SkyPilot API server at http://127.0.0.1:46580.',
  ),
  auth: new SkyError('ApiServerAuthenticationError', 'Authentication is required. Run `sky api login`.'),
  version: new SkyError('APIVersionMismatchError', 'The client version is too old for the API server.'),
  permission: new SkyError('PermissionDeniedError', 'You have no permission for this workspace.'),
} as const;

function report(error: unknown, out: Output, verb: string): number {
  if (error instanceof UsageError) {
    out.error(`Usage: sky ${verb} [OPTIONS]\nTry 'sky ${verb} -h' for help.\n\nError: ${error.message}`);
    return 2;
  }
  if (error instanceof Aborted) {
    out.error('Aborted!');
    return 1;
  }
  if (error instanceof SkyError) {
    out.error(error.printed);
    return 1;
  }
  throw error;
}
