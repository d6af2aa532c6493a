import { describe, expect, test } from '@jest/globals';
import type { Placement } from '../placement.js';
import type { Compute } from './deployment.js';
import { parseDeployment } from './parse.js';
import { elastic, problemsOf } from './testing/manifests.js';

const any = (constraints: object, compute: object = {}) =>
  elastic({ compute: { mode: 'elastic', any: constraints, ...compute } });

function computeOf(input: unknown): Extract<Compute, { mode: 'elastic' }> {
  const parsed = parseDeployment(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { compute } = parsed.deployment.spec;
  if (compute.mode !== 'elastic') throw new Error(compute.mode);
  return compute;
}
const told = ({ cloud, region, accelerator, spot, maxHourlyPrice }: Placement): string =>
  [cloud, region, `${accelerator?.name}:${accelerator?.count}`, spot ? 'spot' : null, maxHourlyPrice]
    .filter((part) => part !== null)
    .join(' ');

describe('places of which any will do', () => {
  test('are every combination in the order written, on demand before spot, ranked by the objective', () => {
    const compute = computeOf(
      any({
        clouds: ['vast', 'runpod'],
        regions: ['US', 'SE'],
        accelerators: ['L40S', 'H100:2'],
        spot: 'allow',
        maxHourlyPrice: '3.5',
      }),
    );
    expect(compute.selection).toBe('best');
    expect(compute.placements.map(told).slice(0, 9)).toEqual([
      'vast US L40S:1 3.5',
      'vast US L40S:1 spot 3.5',
      'vast US H100:2 3.5',
      'vast US H100:2 spot 3.5',
      'vast SE L40S:1 3.5',
      'vast SE L40S:1 spot 3.5',
      'vast SE H100:2 3.5',
      'vast SE H100:2 spot 3.5',
      'runpod US L40S:1 3.5',
    ]);
    expect(compute.placements).toHaveLength(16);
  });

  test('are on demand and in any region unless asked for otherwise', () => {
    const plain = { clouds: ['runpod'], accelerators: ['L40S'] };
    expect(computeOf(any(plain)).placements.map(told)).toEqual(['runpod L40S:1']);
    expect(computeOf(any({ ...plain, spot: 'only' })).placements.map(told)).toEqual(['runpod L40S:1 spot']);
  });

  test('leave out a card where the cloud does not rent it', () => {
    const compute = computeOf(any({ clouds: ['runpod', 'vast'], accelerators: ['MI300X', 'L40S'] }));
    expect(compute.placements.map(told)).toEqual(['runpod MI300X:1', 'runpod L40S:1', 'vast L40S:1']);
  });

  test('are the same specification as the list written out', () => {
    const placements = [
      { cloud: 'runpod', accelerator: 'L40S:1' },
      { cloud: 'runpod', accelerator: 'L4:1' },
    ];
    expect(computeOf(any({ clouds: ['runpod'], accelerators: ['L40S', 'L4'] }))).toEqual(
      computeOf(elastic({ compute: { mode: 'elastic', placements, selection: 'best' } })),
    );
  });

  test('a ladder stays as it was: it says nothing of how it is ranked', () =>
    expect(Object.keys(computeOf(elastic())).sort()).toEqual([
      'adapter',
      'diskGiB',
      'mode',
      'objective',
      'placements',
    ]));
});

describe('mistakes in places of which any will do', () => {
  const good = { clouds: ['runpod'], accelerators: ['L40S'] };
  test.each([
    [
      'neither of the two ways',
      elastic({ compute: { mode: 'elastic' } }),
      'spec.compute.placements',
      'is missing',
      'List placements, or write spec.compute.any',
    ],
    [
      'both ways at once',
      any(good, { placements: [{ cloud: 'runpod' }] }),
      'spec.compute.any',
      'contradicts spec.compute.placements',
      'Keep one',
    ],
    [
      'a set that is to be a ladder',
      any(good, { selection: 'ladder' }),
      'spec.compute.selection',
      '"ladder" contradicts spec.compute.any',
      '"best"',
    ],
    [
      'more than can be ranked, with how many they are',
      any({ ...good, regions: Array.from({ length: 33 }, (_, index) => `R${index}`), spot: 'allow' }),
      'spec.compute.any',
      'makes 66 placements, and at most 64 are ranked',
      'fewer',
    ],
    [
      'the same card twice, written in two ways',
      any({ ...good, accelerators: ['L40S', 'L40S:1'] }),
      'spec.compute.any.accelerators[1]',
      'the same value twice',
      'Remove one',
    ],
    [
      'the same cloud twice',
      any({ ...good, clouds: ['runpod', 'runpod'] }),
      'spec.compute.any.clouds[1]',
      'the same value twice',
      'Remove one',
    ],
    [
      'a card that none of the clouds rents',
      any({ clouds: ['runpod', 'vast'], accelerators: ['L40S', 'L40X'] }),
      'spec.compute.any.accelerators[1]',
      '"L40X" is not a known accelerator of runpod or vast',
      'Near names known there: L40',
    ],
    [
      'a card that the only cloud does not rent',
      any({ clouds: ['runpod'], accelerators: ['L40X'] }),
      'spec.compute.any.accelerators[0]',
      '"L40X" is not a known accelerator of runpod',
      'Near names known for runpod',
    ],
    [
      'a card and count in the wrong order',
      any({ clouds: ['runpod', 'vast'], accelerators: ['L40:S1'] }),
      'spec.compute.any.accelerators[0]',
      '"L40:S1" is not an accelerator and count',
      'NAME:COUNT',
    ],
    [
      'a cloud that rents none of the cards',
      any({ clouds: ['runpod', 'vast'], accelerators: ['MI300X'] }),
      'spec.compute.any.clouds[1]',
      '"vast" rents none of MI300X',
      'Remove it',
    ],
    ['no cloud', any({ ...good, clouds: [] }), 'spec.compute.any.clouds', 'an empty list', 'at least 1'],
    ['no card', any({ clouds: ['runpod'] }), 'spec.compute.any.accelerators', 'is missing', ''],
    [
      'another word for spot',
      any({ ...good, spot: 'yes' }),
      'spec.compute.any.spot',
      '"yes" is not one of the accepted values',
      'never, allow, only',
    ],
    [
      'a misspelt key',
      any({ ...good, region: ['US'] }),
      'spec.compute.any.region',
      'is not a known key',
      'Did you mean "regions"?',
    ],
  ])('%s', (_what, input, path, message, remedy) => {
    const [problem, ...others] = problemsOf(input);
    expect(others).toEqual([]);
    expect(problem?.path).toBe(path);
    expect(problem?.message).toContain(message);
    expect(problem?.remedy).toContain(remedy);
  });
});
