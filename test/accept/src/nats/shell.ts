import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const LONGEST_MS = 180_000;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs what people would type, with the `nats` command on the PATH and no settings of theirs. */
export class Shell {
  constructor(private readonly env: { readonly folder: string; readonly natsUrl: string; readonly home: string }) {}

  /**
   * Runs a text of bash in the root of the repository to its end.
   * @param until ends it as soon as its output is like this
   */
  run(script: string, { until, env = {} }: { readonly until?: RegExp; readonly env?: Record<string, string> } = {}) {
    const { folder, natsUrl, home } = this.env;
    const child = spawn('bash', ['-c', script], {
      ...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
      env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: home, NATS_URL: natsUrl, ...env },
    });
    // The whole group: what bash has started would outlive it.
    const end = (): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(end, LONGEST_MS);
    return new Promise<Ran>((resolve, reject) => {
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        if (until?.test(stdout) === true) end();
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.once('error', reject);
      child.once('close', (code) => {
        clearTimeout(timer);
        resolve({ code, stdout, stderr });
      });
    });
  }
}

/** The lines of a page that call the `nats` command, without what is said about them. */
export function commandsIn(page: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(?:sh|bash)?\n([\s\S]*?)^```$/gm)]
    .flatMap(([, code = '']) => code.split('\n'))
    .filter((line) => line.startsWith('nats '))
    .map((line) => line.replace(/\s+#.*$/, ''));
}

/** The first block of bash in a page, whole. */
export function blockOf(page: string): string {
  const [, code = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(readFileSync(path.join(ROOT, page), 'utf8')) ?? [];
  return code;
}
