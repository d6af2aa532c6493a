import { expect, test } from '@jest/globals';
import { GroupCommit } from './group-commit.js';

const LIMITS = { maxItems: 3, maxWeight: 100 };

/** Records the groups, and commits each when told to. */
function heldCommits(fails: (items: readonly string[]) => boolean = () => false) {
  const groups: string[][] = [];
  const releases: (() => void)[] = [];
  const commit = async (items: readonly string[]): Promise<string[]> => {
    groups.push([...items]);
    await new Promise<void>((resolve) => releases.push(resolve));
    if (fails(items)) throw new Error(`refused ${items.join()}`);
    return items.map((item) => item.toUpperCase());
  };
  const releaseAll = async (): Promise<void> => {
    while (releases.length > 0) {
      releases.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { groups, commit, releaseAll };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a lone item is committed without waiting for company', async () => {
  const { groups, commit, releaseAll } = heldCommits();
  const answer = new GroupCommit(commit, LIMITS, () => true).submit('a', 1);
  await Promise.resolve();
  expect(groups).toEqual([['a']]);
  await releaseAll();
  expect(await answer).toBe('A');
});

test('items that come while a commit is under way form the next group, in order and within the limits', async () => {
  const { groups, commit, releaseAll } = heldCommits();
  const group = new GroupCommit(commit, LIMITS, () => true);
  const first = group.submit('a', 1);
  await settle();
  const rest = ['b', 'c', 'd', 'e'].map((item) => group.submit(item, 1));
  const heavy = ['f', 'g'].map((item) => group.submit(item, 99));
  await releaseAll();
  expect(groups).toEqual([['a'], ['b', 'c', 'd'], ['e', 'f'], ['g']]);
  expect(await Promise.all([first, ...rest, ...heavy])).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G']);
});

test('an item heavier than the limit goes alone', async () => {
  const { groups, commit, releaseAll } = heldCommits();
  const group = new GroupCommit(commit, LIMITS, () => true);
  const answers = ['a', 'b'].map((item) => group.submit(item, 1_000));
  await settle();
  await releaseAll();
  expect(groups).toEqual([['a'], ['b']]);
  expect(await Promise.all(answers)).toEqual(['A', 'B']);
});

test('when a group fails and left nothing behind, its items are tried alone and only the bad one fails', async () => {
  const { groups, commit, releaseAll } = heldCommits((items) => items.includes('bad'));
  const group = new GroupCommit(commit, LIMITS, () => true);
  const answers = Promise.allSettled(['a', 'bad', 'c'].map((item) => group.submit(item, 1)));
  await settle();
  await releaseAll();
  expect(groups).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('when the fate of a failed group is unknown, nothing of it is tried again, and later items go on', async () => {
  const { groups, commit, releaseAll } = heldCommits((items) => items.includes('bad'));
  const group = new GroupCommit(commit, LIMITS, () => false);
  const answers = Promise.allSettled(['a', 'bad', 'c', 'd'].map((item) => group.submit(item, 1)));
  await settle();
  await releaseAll();
  expect(groups).toEqual([['a', 'bad', 'c'], ['d']]);
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
});
