import { fork } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SCENARIOS } from '../scenarios/index.js';
import type { Outcome } from '../scenarios/scenario.js';

const PROGRAM = new URL('../../../dist/rollout/scenarios/main.js', import.meta.url);
const PLAY_MS = 600_000;

/**
 * Declares a test of every scenario where Vast is as the variant of this name says; a file each, so that they run side by side. The
 * compiled program plays them, since whole lives take longer in the contexts that Jest gives its tests.
 */
export function scenariosHold(variant: string): void {
  describe(`a rollout on evidence where Vast is ${variant}`, () => {
    let outcomes: ReadonlyMap<string, string>;
    beforeAll(async () => {
      outcomes = await played(variant);
    }, PLAY_MS);

    test.each(SCENARIOS)('$title', ({ title }) => {
      expect(outcomes.get(title)).toBe('ok');
    });
  });
}

async function played(variant: string): Promise<ReadonlyMap<string, string>> {
  const outcomes = new Map<string, string>();
  const player = fork(PROGRAM, ['--variant', variant], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  player.on('message', (told) => {
    const { title, said } = told as Outcome; // sent by the program
    outcomes.set(title, said);
  });
  await Promise.all([once(player, 'exit'), once(player, 'disconnect')]);
  return outcomes;
}
