import { parseDeployment, type NormalisedDeployment } from '@davit/contracts';
import { externalKeyOf } from '@davit/domain';
import {
  type CommandOutcome,
  type CommandRequest,
  type CommandRunner,
  type HttpClient,
  type HttpOutcome,
  type HttpRequest,
  VirtualClock,
} from '@davit/ports';
import type { LaunchOrder, ProviderBackend } from '@davit/provider-kit';
import { createWorld, MemoryHost, seeded, type TimingOverrides, type World, WORLD_HOSTS } from '@davit/world';
import { skyBackend } from '../sky/backend.js';
import { DEFAULT_SKY_SETTINGS, type SkySettings } from '../sky/settings.js';
import type { TaskFiles } from '../sky/task-files.js';
import { DEFAULT_RUNPOD_WITNESS, runpodWitness } from '../witness/runpod.js';

export const SECRET_VALUE = 'canary-5f1d0c7e9a';

export interface WorldRigOptions {
  readonly timings?: TimingOverrides;
  readonly settings?: Partial<SkySettings>;
  /** Whether RunPod itself is asked too. Default true. */
  readonly witness?: boolean;
  readonly futureKeys?: boolean;
}

/** The simulated `sky`, in this process and on virtual time that moves while a command runs. */
export class WorldRig {
  readonly clock = new VirtualClock();
  readonly world: World;
  readonly requests: CommandRequest[] = [];
  readonly asked: HttpRequest[] = [];
  /** Task files by path, for as long as they exist. */
  readonly files = new Map<string, string>();
  readonly backend: ProviderBackend;
  private keys = 0;

  constructor(private readonly options: WorldRigOptions = {}) {
    const { futureKeys = false } = options;
    this.world = createWorld({
      skyFutureKeys: futureKeys,
      clock: this.clock,
      random: seeded(7),
      host: new MemoryHost(this.clock),
      timings: { ...options.timings },
    });
    this.backend = this.anotherAgent();
  }

  /** A backend that remembers nothing of what the first one saw. */
  anotherAgent(): ProviderBackend {
    const { settings, witness = true } = this.options;
    const runpod = { ...DEFAULT_RUNPOD_WITNESS, baseUrl: WORLD_HOSTS.runpod, apiKey: this.world.keys.runpod };
    return skyBackend({
      commands: this.commands,
      clock: this.clock,
      settings: {
        ...DEFAULT_SKY_SETTINGS,
        binary: 'sky',
        home: '/nowhere',
        path: '/usr/bin',
        userId: '0badcafe',
        ...settings,
      },
      secrets: (name) => (name.endsWith('HF_TOKEN') ? SECRET_VALUE : undefined),
      files: this.taskFiles,
      witnesses: witness ? [runpodWitness(this, runpod)] : [],
    });
  }

  readonly http: HttpClient = {
    request: async (request) => {
      this.asked.push(request);
      const { method, url, headers = {}, body = '', timeoutMs } = request;
      let outcome: HttpOutcome | undefined;
      void this.world.handleHttp({ method, url, headers, body }).then((reply) => {
        if (reply.kind === 'response' && typeof reply.body === 'string') outcome = { ...reply, body: reply.body };
        else if (reply.kind === 'reset' || reply.kind === 'refused')
          outcome = { kind: 'failure', reason: reply.kind, detail: 'no connection' };
      });
      for (let waited = 0; outcome === undefined && waited < timeoutMs; waited += 20) await this.clock.advance(20);
      return outcome ?? { kind: 'failure', reason: 'timeout', detail: 'no answer' };
    },
  };

  readonly commands: CommandRunner = {
    run: async (request) => {
      this.requests.push(request);
      const running = this.world.runSky({
        argv: request.args,
        env: request.env,
        readFile: (path) => Promise.resolve(this.files.get(path)),
      });
      let outcome: CommandOutcome | undefined;
      void running.then((ended) => {
        // What hangs takes as long as it is given.
        if (ended.kind === 'hung') return;
        outcome = ended.kind === 'exited' ? ended : { kind: 'killed', signal: 'SIGKILL', stdout: '', stderr: '' };
        if (ended.kind === 'exited' && ended.stdout.length > (request.maxBytes ?? Infinity))
          outcome = { kind: 'too-large' };
      });
      for (let waited = 0; outcome === undefined && waited < request.timeoutMs; waited += 20)
        await this.clock.advance(20);
      return outcome ?? { kind: 'timed-out', stdout: '', stderr: '' };
    },
  };

  private readonly taskFiles: TaskFiles = {
    write: (name, content) =>
      new Promise((resolve) => {
        const path = `/tasks/${name}-${this.requests.length}.yaml`;
        this.files.set(path, content);
        resolve({
          path,
          remove: () => {
            this.files.delete(path);
            return Promise.resolve();
          },
        });
      }),
  };

  order(spec: NormalisedDeployment = elasticSpec()): LaunchOrder {
    this.keys += 1;
    const identity = { deployment: 'default/qwen', revision: 1, ordinal: 0, incarnation: this.keys };
    const { compute } = spec.spec;
    return {
      externalKey: externalKeyOf(identity, 'test'),
      replicaId: `default/qwen-1-0-${this.keys}`,
      ordinal: 0,
      deployment: spec,
      placement: compute.mode === 'elastic' ? (compute.placements[0] ?? null) : null,
      holdsLease: () => Promise.resolve(true),
    };
  }

  /** SkyPilot's row goes; the machine stays. */
  loseRecord(externalKey: string): void {
    this.world.sky.clusters.delete(externalKey);
  }

  /** Machines that run for this key, by the world's own books. */
  machines(externalKey: string): number {
    return this.world.ledger
      .running()
      .filter(({ owner }) => owner === `sky:${externalKey}` || owner === `doubled:${externalKey}`).length;
  }

  /** Command lines, without the program's name. */
  commandLines(): string[] {
    return this.requests.map(({ args }) => args.join(' '));
  }
}

export function elasticSpec(changes: { readonly runtime?: object; readonly spec?: object } = {}): NormalisedDeployment {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
      runtime: { engine: 'vllm', version: '0.11.0', ...changes.runtime },
      compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
      secrets: [{ name: 'HF_TOKEN', from: { env: 'HF_TOKEN' } }],
      ...changes.spec,
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.deployment;
}
