import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Cell, type Probe, shortMatrix } from './cells.js';
import { probeAll, runMatrix, uncovered } from './matrix.js';
import { CALL_KINDS, type Kind, MESSAGE_KINDS } from '@davit/stage';

const SAID: Readonly<Record<Kind, string>> = {
  before: 'a process that dies before a call',
  amid: 'a process that dies while an order is under way',
  after: 'a process that dies after a call',
  'reply-lost': 'a call that takes effect and is never answered',
  overtaken: 'an instance that stands still right before a call until another one has its lease',
  overslept: 'an instance that stands still right before an order until everybody gave it up',
  lost: 'a message that never comes',
  twice: 'a message that comes twice',
};

describe('every point of every workflow', () => {
  let probes: readonly Probe[];
  let cells: readonly Cell[];
  beforeAll(async () => {
    probes = await probeAll({ instances: [1], seed: 1 });
    cells = shortMatrix(probes);
  }, 300_000);

  it('is passed by some scenario, and stands on the list that the code gives', () => {
    expect(uncovered(probes)).toEqual({ notVisited: [], notListed: [] });
  });
  it('is passed without harm when nothing befalls it', () => {
    const broken = probes.filter(({ outcome }) => outcome.faults.length > 0);
    expect(broken.map(({ scenario, outcome }) => [scenario.name, outcome.faults])).toEqual([]);
  });

  it.each([...CALL_KINDS, ...MESSAGE_KINDS].map((kind) => [SAID[kind], kind] as const))(
    '%s leaves one machine a life, nothing rented after deletion, every law kept, every projection right',
    async (_, kind) => {
      const struck = cells.filter(({ target }) => target.kind === kind);
      expect(struck.length).toBeGreaterThan(0);
      expect(await runMatrix(struck)).toEqual([]);
    },
    300_000,
  );
});
