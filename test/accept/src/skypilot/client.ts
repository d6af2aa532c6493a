import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execaCommandRunner, systemClock, undiciHttpClient } from '@davit/ports';
import type { ProviderBackend } from '@davit/provider-kit';
import {
  DEFAULT_RUNPOD_WITNESS,
  DEFAULT_SKY_SETTINGS,
  type SkySettings,
  environmentOf,
  runpodWitness,
  skyBackend,
  taskFilesIn,
} from '@davit/skypilot-agent';
import type { Output } from './shape.js';

const TIMEOUT_MS = 180_000;

export interface ClientOptions {
  /** `real` or `fake`. */
  readonly name: string;
  readonly binary: string;
  readonly home: string;
  readonly path: string;
  /** Beside what the adapter passes: what a person has set up where the API server runs. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly runpod?: { readonly baseUrl: string; readonly apiKey: string };
}

/** One `sky`, to be asked as it is and through the adapter. */
export interface Client {
  readonly name: string;
  readonly home: string;
  readonly backend: ProviderBackend;
  run(...args: readonly string[]): Promise<Output>;
  file(name: string, content: string): Promise<string>;
}

export async function openClient(options: ClientOptions): Promise<Client> {
  const { name, binary, home, environment = {} } = options;
  await mkdir(home, { recursive: true, mode: 0o700 });
  const settings: SkySettings = { ...DEFAULT_SKY_SETTINGS, binary, home, path: options.path, userId: '0123abcd' };
  const backend = skyBackend({
    commands: execaCommandRunner,
    clock: systemClock,
    settings,
    secrets: () => undefined,
    files: taskFilesIn(path.join(home, 'tasks')),
    witnesses: options.runpod
      ? [
          runpodWitness(
            { http: undiciHttpClient(), clock: systemClock },
            { ...DEFAULT_RUNPOD_WITNESS, ...options.runpod },
          ),
        ]
      : [],
  });
  return {
    name,
    home,
    backend,
    async run(...args) {
      const env = { ...environmentOf(settings), ...environment };
      const outcome = await execaCommandRunner.run({ file: binary, args, env, cwd: home, timeoutMs: TIMEOUT_MS });
      if (outcome.kind === 'exited') return outcome;
      return { exitCode: outcome.kind, stdout: '', stderr: '' };
    },
    async file(fileName, content) {
      const full = path.join(home, fileName);
      await writeFile(full, content, { mode: 0o600 });
      return full;
    },
  };
}
