import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The model that is served: made on the spot, with random weights, so that nothing is fetched. */
export const MODEL = {
  servedName: 'tiny',
  vocabulary: 256,
  /** Tokens; a word is one. */
  contextLength: 1024,
} as const;

export const program = (name: string): string => fileURLToPath(new URL(`../../python/${name}`, import.meta.url));

export async function makeModel(python: string, directory: string, home: string): Promise<void> {
  const args = [program('tiny_model.py'), directory, String(MODEL.vocabulary), String(MODEL.contextLength)];
  const environment = { HOME: home, PATH: process.env['PATH'] ?? '', HF_HUB_OFFLINE: '1' };
  await promisify(execFile)(python, args, { env: environment });
}

/** A prompt of so many tokens. Prompts that begin at different words share no beginning. */
export const promptOf = (tokens: number, from = 0): string =>
  Array.from({ length: tokens }, (_, index) => `w${(from + index) % (MODEL.vocabulary - 3)}`).join(' ');
