import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { waitFor } from '../../wait-for.js';

const ROOT = path.resolve(import.meta.dirname, '../../../../..');

/** One service in a process of its own, at one address through all its lives. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  /** Lives so far. */
  lives = 0;
  /** When the present life began, by the clock of this host; endless while there is none. */
  bornMs = Number.POSITIVE_INFINITY;
  private output = '';
  private report = '';

  /** @param port that nobody else takes while it is dead, neither another system nor a connection that leaves */
  constructor(
    readonly name: string,
    private readonly port: number,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it and waits until it works. */
  async start(): Promise<void> {
    const child = this.begin();
    const isReady = async (): Promise<true | undefined> => {
      if (child.exitCode !== null) throw new Error(`${this.name} ended with ${child.exitCode}: ${this.output}`);
      const answer = await fetch(new URL('/readyz', this.url)).catch(() => undefined);
      this.report = (await answer?.text().catch(() => undefined)) ?? 'no answer';
      return answer?.ok === true || undefined;
    };
    try {
      await waitFor(`${this.name} works`, isReady, { timeoutMs: 60_000, everyMs: 20 });
    } catch (error) {
      throw new Error(`${this.name} did not begin to work; it says ${this.report} and wrote ${this.output}`, {
        cause: error,
      });
    }
  }

  /** Starts it. Whoever does not wait may kill it at any point of its start. */
  begin(): ChildProcess {
    this.lives += 1;
    this.bornMs = Date.now();
    const child = spawn(
      process.execPath,
      ['--enable-source-maps', path.join(ROOT, 'apps', this.name, 'dist/main.js')],
      {
        env: { ...this.environment, HOST: '127.0.0.1', PORT: String(this.port), LOG_LEVEL: 'warn' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (this.output = (this.output + text.toString()).slice(-4_000)));
    return child;
  }

  /** kill -9, and waits until it is gone. */
  async kill(): Promise<void> {
    const { child } = this;
    this.bornMs = Number.POSITIVE_INFINITY;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
