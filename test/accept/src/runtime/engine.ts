import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import { eventually } from '@davit/test-support';
import { MODEL } from './model.js';
import { childrenOf } from './processes.js';

export interface EngineOptions {
  readonly python: string;
  /** Home and place of the log; nothing is written elsewhere. */
  readonly home: string;
  readonly model: string;
  readonly port: number;
  readonly apiKey: string;
}

/** Few places and little cache, so that a handful of requests fills both. */
export const LIMITS = { sequences: 2, blocks: 13, blockTokens: 128 } as const;

/** The processes of a vLLM: the server that answers, and the core behind it that computes. */
export class Engine {
  private readonly ended: Promise<unknown>;

  private constructor(
    private readonly child: ChildProcess,
    readonly server: number,
    private readonly log: string,
  ) {
    this.ended = once(child, 'exit');
  }

  static async start({ python, home, model, port, apiKey }: EngineOptions): Promise<Engine> {
    const log = path.join(home, `vllm-${Date.now()}.log`);
    const output = openSync(log, 'w', 0o600);
    const child = spawn(python, [...ARGUMENTS, '--model', model, '--port', String(port)], {
      cwd: home,
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, VLLM_API_KEY: apiKey, ...SETTINGS },
    });
    closeSync(output);
    await once(child, 'spawn');
    const engine = new Engine(child, child.pid ?? 0, log);
    await giveWay(engine.server);
    return engine;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Process that computes. */
  async core(): Promise<number> {
    const children = await childrenOf(this.server);
    const core = children.find(({ command }) => command.startsWith('VLLM::EngineCore'));
    if (!core) throw new Error('the server has no engine core');
    return core.pid;
  }

  /** Waits for the server's own end, as after the death of its core. */
  async gone(withinMs: number): Promise<boolean> {
    return eventually(() => !this.isRunning, { timeoutMs: withinMs }).catch(() => false);
  }

  /** Ends all of its processes at once. */
  async kill(): Promise<void> {
    try {
      process.kill(-this.server, 'SIGKILL');
    } catch {
      // None is left.
    }
    if (this.isRunning) await this.ended;
  }

  /** Last lines of what it wrote. */
  async lastWords(): Promise<string> {
    return (await readFile(this.log, 'utf8')).trim().split('\n').slice(-15).join('\n');
  }
}

/** Larger is less; 0 is usual. */
const NICENESS = 10;

/**
 * Computes when nobody else wants to: it is never idle while it has requests, and who only asks it was seen to wait for a processor for
 * five seconds at a time. Linux shares processors between sessions first, where it groups by them, and within one by priority
 * (sched(7), "The autogroup feature").
 */
async function giveWay(pid: number): Promise<void> {
  setPriority(pid, NICENESS);
  await writeFile(`/proc/${pid}/autogroup`, String(NICENESS)).catch(() => undefined);
}

/** The command of the package looks for a package of another name, and fails; its module does not. */
const ARGUMENTS = [
  ...['-m', 'vllm.entrypoints.openai.api_server', '--host', '127.0.0.1', '--served-model-name', MODEL.servedName],
  ...['--max-model-len', String(MODEL.contextLength), '--max-num-seqs', String(LIMITS.sequences)],
  ...['--num-gpu-blocks-override', String(LIMITS.blocks), '--block-size', String(LIMITS.blockTokens)],
  ...['--enforce-eager', '--dtype', 'float32'],
];

/** Development mode opens the door to sleep. Nothing is fetched, nothing reported. */
const SETTINGS = {
  VLLM_SERVER_DEV_MODE: '1',
  VLLM_CPU_KVCACHE_SPACE: '1',
  VLLM_NO_USAGE_STATS: '1',
  DO_NOT_TRACK: '1',
  HF_HUB_OFFLINE: '1',
};
