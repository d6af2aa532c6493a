import { randomHex, type WorldClock, type WorldRandom } from './clock.js';
import { CallLog } from './calls.js';
import { Cloud } from './cloud/cloud.js';
import { KeysSeen } from './cloud/keys-seen.js';
import { elsewhereHandler } from './elsewhere.js';
import { type MachineHost } from './cloud/host.js';
import { Prices } from './cloud/prices.js';
import { Stock, type LevelThresholds } from './cloud/stock.js';
import { FaultBook, withFaults, type FaultService } from './faults.js';
import { hasKeyInUrl, isKeyParameter, keyInUrlRefusal, withoutKeys } from './http/key-in-url.js';
import { objectBody, type WireHandler, type WireReply, type WireRequest } from './http/wire.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import { runPodHandler } from './runpod/handler.js';
import { RUNPOD_DEFAULTS, type RunPodOptions } from './runpod/rules.js';
import { digest } from './seal.js';
import { SkyBackend } from './sky/backend.js';
import { callerOf, type SkyInput } from './sky/caller.js';
import { SkyCatalogue } from './sky/catalogue.js';
import { type SkyCaller, type SkyOutcome } from './sky/context.js';
import { runCommand, type SkyCommandLine } from './sky/run.js';
import { DEFAULT_TIMINGS, type VastTimings, type WorldTimings } from './timings.js';
import { Vast, type VastOptions } from './vast/vast.js';

export type TimingOverrides = Partial<Omit<WorldTimings, 'vast'>> & { readonly vast?: Partial<VastTimings> };

export interface WorldOptions {
  readonly clock: WorldClock;
  readonly random: WorldRandom;
  readonly host: MachineHost;
  readonly timings?: TimingOverrides;
  /** What `sky --version` and `sky api info` claim. */
  readonly skyVersion?: string;
  /** Adds keys of later releases to JSON output. */
  readonly skyFutureKeys?: boolean;
  readonly runpod?: Partial<RunPodOptions>;
  readonly stockThresholds?: LevelThresholds;
  readonly vast?: Partial<VastOptions>;
  /** Told of every change in the ledger. */
  readonly onLedgerChange?: (entry: LedgerEntry) => void;
}

/** Base addresses under which `handleHttp` finds each service; real runs replace them with loopback ones. */
export const WORLD_HOSTS = {
  runpod: 'https://api.runpod.io',
  vastConsole: 'https://console.vast.ai',
  vastRun: 'https://run.vast.ai',
  vastOpenai: 'https://openai.vast.ai',
  elsewhere: 'https://elsewhere.example',
} as const;

/** The whole outside, as one object that can be driven on real or on virtual time. */
export interface World {
  readonly clock: WorldClock;
  readonly ledger: Ledger;
  readonly cloud: Cloud;
  readonly stock: Stock;
  readonly prices: Prices;
  readonly faults: FaultBook;
  readonly calls: CallLog;
  readonly sky: SkyBackend;
  /** Which hosts that serve models, or seem to, were shown a key. */
  readonly keysSeen: KeysSeen;
  /** What SkyPilot knows of types and prices: a snapshot, as old as its last refresh. */
  readonly catalogue: SkyCatalogue;
  /** RunPod's switches, which may be turned while it runs. */
  readonly runpodOptions: { -readonly [K in keyof RunPodOptions]: RunPodOptions[K] };
  readonly vast: Vast;
  /** Fresh random keys: canaries that must appear nowhere else. */
  readonly keys: { readonly runpod: string; readonly vast: string };
  /** Salt of every digest of a secret. */
  readonly salt: string;
  readonly runpod: WireHandler;
  readonly vastConsole: WireHandler;
  readonly vastRun: WireHandler;
  readonly vastOpenai: WireHandler;
  /** A host that nobody runs on purpose, where redirects may lead. */
  readonly elsewhere: WireHandler;
  /** Runs `sky` for a caller whose environment is at hand. */
  runSky(input: SkyInput): Promise<SkyOutcome>;
  /** Runs `sky` for a caller that was sealed elsewhere. */
  runSealedSky(caller: SkyCaller): Promise<SkyOutcome>;
  /** Routes a request by its URL: to a service of `WORLD_HOSTS`, or else to a model server of the host. */
  handleHttp(request: Omit<WireRequest, 'url'> & { readonly url: string }): Promise<WireReply>;
}

export function createWorld(options: WorldOptions): World {
  const { clock, random, host } = options;
  const timings: WorldTimings = {
    ...DEFAULT_TIMINGS,
    ...options.timings,
    vast: { ...DEFAULT_TIMINGS.vast, ...options.timings?.vast },
  };
  const salt = randomHex(random, 32);
  const keys = { runpod: `rpa_${randomHex(random, 40)}`, vast: randomHex(random, 64) };
  const ledger = new Ledger(clock, options.onLedgerChange);
  const stock = new Stock(options.stockThresholds);
  const prices = new Prices();
  const keysSeen = new KeysSeen();
  const cloud = new Cloud(clock, random, host, stock, prices, ledger, keysSeen);
  const catalogue = new SkyCatalogue(stock, prices);
  const faults = new FaultBook();
  const calls = new CallLog();
  const sky = new SkyBackend(cloud, clock, random, timings, salt);
  const vast = new Vast(cloud, clock, random, timings, { salt, apiKey: keys.vast, ...options.vast });
  const commandLine: SkyCommandLine = {
    backend: sky,
    catalogue,
    faults,
    calls,
    salt,
    version: options.skyVersion ?? '0.14.1',
    futureKeys: options.skyFutureKeys ?? false,
  };
  const runpodOptions = { ...RUNPOD_DEFAULTS, apiKey: keys.runpod, ...options.runpod };
  const secrets = (): readonly string[] => [keys.runpod, keys.vast, ...vast.secrets()];
  const guarded = (service: HttpService, handler: WireHandler): WireHandler =>
    recorded(
      { service, calls, clock, secrets, keyIdOf: (request) => vast.keyIdOf(request), options: vast.options },
      withFaults(service, faults, clock, handler),
    );
  vast.guardWorkers((handler) => guarded('vast-worker', handler));
  const services = {
    runpod: guarded('runpod', runPodHandler(cloud, clock, runpodOptions)),
    vastConsole: guarded('vast-console', (request) => vast.console(request)),
    vastRun: guarded('vast-run', (request) => vast.run(request)),
    vastOpenai: guarded('vast-openai', (request) => vast.openai(request)),
    elsewhere: elsewhereHandler(keysSeen),
  };
  const byHost = new Map(
    Object.entries(WORLD_HOSTS).map(([name, base]) => [new URL(base).host, services[name as keyof typeof WORLD_HOSTS]]),
  );
  return {
    clock,
    ledger,
    cloud,
    stock,
    prices,
    faults,
    calls,
    sky,
    keysSeen,
    catalogue,
    runpodOptions,
    vast,
    keys,
    salt,
    ...services,
    runSky: async (input) => runCommand(commandLine, await callerOf(salt, input)),
    runSealedSky: (caller) => runCommand(commandLine, caller),
    handleHttp: async (request) => {
      const url = new URL(request.url);
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const wire: WireRequest = { ...request, url, headers };
      const service = byHost.get(url.host);
      if (service) return service(wire);
      return host.route(wire);
    },
  };
}

type HttpService = Exclude<FaultService, 'sky'>;

interface Recording {
  readonly service: HttpService;
  readonly calls: CallLog;
  readonly clock: WorldClock;
  readonly secrets: () => readonly string[];
  readonly keyIdOf: (request: WireRequest) => string | null;
  readonly options: Pick<VastOptions, 'keyInUrl'>;
}

/** Notes every request before it is answered, without the key it may carry, and turns away those with a key in the URL. */
const recorded =
  ({ service, calls, clock, secrets, keyIdOf, options }: Recording, handler: WireHandler): WireHandler =>
  async (request) => {
    const keys = secrets();
    const body = objectBody(request.body);
    const isVast = service !== 'runpod';
    const keyInUrl = hasKeyInUrl(request, keys);
    const keyInBody = body !== undefined && Object.keys(body).some(isKeyParameter);
    const answered = calls.add({
      service,
      atMs: clock.nowMs(),
      method: request.method,
      url: withoutKeys(request, keys),
      keyInUrl,
      keyInBody: keyInBody || keys.some((key) => request.body.includes(key)),
      keyId: isVast ? keyIdOf(request) : null,
      bodyDigest: request.body === '' ? null : digest(request.body),
      status: null,
    });
    const isRefused = keyInUrl && !(isVast && options.keyInUrl === 'accept');
    const reply = isRefused ? keyInUrlRefusal() : await handler(request);
    answered(reply.kind === 'response' ? reply.status : null);
    return reply;
  };
