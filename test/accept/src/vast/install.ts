import path from 'node:path';
import { type Installation, pythonEnvironment } from '../environment.js';

/** The vendor's package, which holds its command line and its serverless client. */
export const VASTAI_VERSION = '1.9.1';

/** A `vastai` of its own in the user's cache: installed once, used by every later run. */
export const installVastai = (say: (line: string) => void): Promise<Installation> =>
  pythonEnvironment({
    name: `vastai-${VASTAI_VERSION}`,
    python: '3.10',
    freeGiB: 1,
    announce: (python, directory) =>
      say(`Installing vastai ${VASTAI_VERSION} with ${python} into ${directory} (a minute or two) …`),
    fill: ({ pip }) => pip(`vastai==${VASTAI_VERSION}`),
  });

export const binaryIn = (directory: string, program: 'vastai' | 'python'): string =>
  path.join(directory, 'bin', program);
