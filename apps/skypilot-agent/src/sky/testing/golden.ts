import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Golden {
  readonly name: string;
  /** What is expected, by name. */
  readonly expected: Readonly<Record<string, string>>;
  readonly text: string;
}

const DIRECTORY = path.join(import.meta.dirname, 'golden');

/** Outputs of `sky` and logs of machines, each below what is expected of it. */
export const goldenFiles = (prefix: string): readonly Golden[] =>
  readdirSync(DIRECTORY)
    .filter((name) => name.startsWith(prefix))
    .toSorted()
    .map((name) => {
      const [head = '', ...rest] = readFileSync(path.join(DIRECTORY, name), 'utf8').split('---\n');
      const expected = Object.fromEntries(
        head
          .trim()
          .split('\n')
          .map((line) => line.split(': ') as [string, string]),
      );
      return { name, expected, text: rest.join('---\n') };
    });
