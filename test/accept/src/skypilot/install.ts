import path from 'node:path';
import { type Installation, pythonEnvironment } from '../environment.js';

/** The release that the fake and the fact sheets speak of. */
export const SKYPILOT_VERSION = '0.14.1';

/** A SkyPilot of its own in the user's cache: installed once, used by every later run. */
export const installSkyPilot = (say: (line: string) => void): Promise<Installation> =>
  pythonEnvironment({
    name: `skypilot-${SKYPILOT_VERSION}`,
    python: '3.9',
    freeGiB: 2,
    announce: (python, directory) =>
      say(`Installing skypilot ${SKYPILOT_VERSION} with ${python} into ${directory} (a minute or two) …`),
    fill: ({ pip }) => pip(`skypilot[runpod]==${SKYPILOT_VERSION}`),
  });

export const skyBinary = (directory: string): string => path.join(directory, 'bin', 'sky');
