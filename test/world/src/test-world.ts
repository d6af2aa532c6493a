import { seeded } from './clock.js';
import { MemoryHost } from './hosts/memory-host.js';
import { wholeBody } from './http/wire.js';
import { ManualClock } from './manual-clock.js';
import { type SkyOutcome } from './sky/context.js';
import { createWorld, type World, type WorldOptions } from './world.js';

export const CANARY = 'canary-secret-0f3a';
export const USER = { HOME: '/home/svc', SKYPILOT_USER_ID: '1a2b3c4d', SKYPILOT_USER: 'svc', WORKER_API_KEY: CANARY };

export const REPLICA_YAML = `
name: ic-one
resources:
  infra: runpod
  accelerators: L4:1
  image_id: docker:vllm/vllm-openai:v0.11.0
  disk_size: 120
  ports: 8000
envs: { MODEL: Qwen/Qwen3-8B }
secrets: { WORKER_API_KEY: null }
run: |
  vllm serve "$MODEL" --host 0.0.0.0 --port 8000 \\
    --served-model-name qwen3-8b --api-key "$WORKER_API_KEY"
`;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A world in memory on a clock that tests move. */
export class TestWorld {
  readonly clock = new ManualClock();
  readonly world: World;
  readonly files: Record<string, string> = { 'replica.yaml': REPLICA_YAML };

  constructor(options: Partial<WorldOptions> = {}) {
    this.world = createWorld({
      clock: this.clock,
      random: seeded(7),
      host: new MemoryHost(this.clock),
      ...options,
    });
  }

  /** Runs `sky`, moving the clock until it exits or `limitMs` have passed. */
  async sky(
    argv: readonly string[],
    env: Readonly<Record<string, string>> = USER,
    limitMs = 5_000,
  ): Promise<SkyOutcome> {
    let outcome: SkyOutcome | undefined;
    void this.world
      .runSky({ argv, env, readFile: (path) => Promise.resolve(this.files[path]) })
      .then((result) => (outcome = result));
    await this.clock.advance(0);
    for (let passedMs = 0; outcome === undefined && passedMs < limitMs; passedMs += 50) await this.clock.advance(50);
    if (!outcome) throw new Error(`sky ${argv.join(' ')} did not end within ${limitMs} ms`);
    return outcome;
  }

  /** As `sky`, for runs that must exit by themselves. */
  async exited(
    argv: readonly string[],
    env: Readonly<Record<string, string>> = USER,
  ): Promise<Extract<SkyOutcome, { kind: 'exited' }>> {
    const outcome = await this.sky(argv, env);
    if (outcome.kind !== 'exited') throw new Error(`sky ${argv.join(' ')} was ${outcome.kind}`);
    return outcome;
  }

  launch(cluster = 'ic-one', ...more: readonly string[]): Promise<Extract<SkyOutcome, { kind: 'exited' }>> {
    return this.exited([
      'launch',
      '-c',
      cluster,
      '-y',
      '--async',
      '--secret',
      'WORKER_API_KEY',
      ...more,
      'replica.yaml',
    ]);
  }

  /** The rows of `status -o json`, as a tolerant reader would find them. */
  async rows(...names: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const { stdout } = await this.exited(['status', '-o', 'json', ...names]);
    return JSON.parse(stdout.slice(stdout.search(/^\[/m))) as Record<string, unknown>[];
  }

  async http(method: string, url: string, key?: string, body: unknown = ''): Promise<HttpAnswer | string> {
    const headers = { 'User-Agent': 'test', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    let answer: HttpAnswer | string | undefined;
    void this.world.handleHttp({ method, url, headers, body: text }).then(async (reply) => {
      answer = reply.kind === 'response' ? { ...reply, body: await wholeBody(reply.body) } : reply.kind;
    });
    await this.clock.advance(0);
    for (let tries = 0; answer === undefined && tries < 200; tries += 1) await this.clock.advance(5);
    return answer ?? 'silent';
  }

  async json(method: string, url: string, key?: string, body: unknown = ''): Promise<unknown> {
    const answer = await this.http(method, url, key, body);
    if (typeof answer === 'string') throw new Error(`${method} ${url}: ${answer}`);
    return JSON.parse(answer.body);
  }
}
