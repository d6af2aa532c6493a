import assert from 'node:assert/strict';
import type { ObserveHints } from '../backend.js';
import { type BackendHarness, hintsFor, pick, type Rule, type TestFramework, untilAbsent, untilUp } from './harness.js';
import { namesakes } from './namesakes.js';

/**
 * What every backend must do, whatever the provider. Run it against each, so that the controller may believe all of them
 * alike.
 */
export function backendConformance(
  { describe, test }: TestFramework,
  name: string,
  makeHarness: () => Promise<BackendHarness>,
): void {
  const rule = (title: string, body: (harness: BackendHarness) => Promise<void>): void =>
    test(title, async () => {
      const harness = await makeHarness();
      try {
        await body(harness);
      } finally {
        await harness.dispose?.();
      }
    });
  describe(`backend conformance: ${name}`, () => {
    beforeLaunch(rule);
    afterLaunch(rule);
    namesakes(rule);
    trouble(rule);
  });
}

function beforeLaunch(rule: Rule): void {
  rule('a key that was never launched is absent', async ({ backend, order }) => {
    const wanted = order();
    assert.equal((await backend.discover(wanted.externalKey, wanted)).outcome, 'absent');
    assert.equal((await backend.observe(wanted.externalKey, hintsFor(wanted, 'absence'))).outcome, 'absent');
  });

  rule('nothing is launched when the lease is lost before the call', async ({ backend, order, held, step }) => {
    const wanted = order();
    const result = await backend.ensure({ ...wanted, holdsLease: () => Promise.resolve(false) });
    assert.equal(result.outcome, 'unknown');
    await step();
    assert.equal(await held(wanted.externalKey), 0);
  });
}

function afterLaunch(rule: Rule): void {
  rule('a launch is seen from the moment it is accepted', async ({ backend, order }) => {
    const wanted = order();
    assert.equal((await backend.ensure(wanted)).outcome, 'accepted');
    assert.equal((await backend.discover(wanted.externalKey, wanted)).outcome, 'present');
    assert.equal((await backend.observe(wanted.externalKey, hintsFor(wanted, 'follow'))).outcome, 'present');
  });

  rule('ensuring the same key again and again leads to one thing', async (harness) => {
    const { backend, order, held, step } = harness;
    const wanted = order();
    await backend.ensure(wanted);
    await backend.ensure(wanted);
    await step();
    await backend.ensure(wanted);
    await untilUp(harness, wanted);
    assert.equal((await backend.ensure(wanted)).outcome, 'accepted');
    await step();
    assert.equal(await held(wanted.externalKey), 1);
  });

  rule('a launched thing comes up with an address and an identity, and keeps both', async (harness) => {
    const wanted = harness.order();
    await harness.backend.ensure(wanted);
    const up = await untilUp(harness, wanted);
    assert.ok(up.url !== null && URL.canParse(up.url));
    assert.notEqual(up.providerId, null);
    const hints: ObserveHints = {
      ...hintsFor(wanted, 'follow'),
      launching: false,
      url: up.url,
      providerId: up.providerId,
    };
    const again = await harness.backend.observe(wanted.externalKey, hints);
    assert.deepEqual(pick(again), pick(up));
  });

  rule(
    'the inventory lists what has the prefix, and nothing else',
    async ({ backend, order, prefix, foreign, step }) => {
      const [first, second] = [order(), order()];
      await backend.ensure(first);
      await backend.ensure(second);
      await foreign?.('someone-elses');
      await step();
      const listed = await backend.inventory(prefix);
      assert.equal(listed.outcome, 'listed');
      const names = listed.rows.map(({ externalKey }) => externalKey).toSorted();
      assert.deepEqual(names, [first.externalKey, second.externalKey].toSorted());
    },
  );

  rule('deleting leaves nothing, and deleting nothing is no failure', async (harness) => {
    const { backend, order, held } = harness;
    const wanted = order();
    await backend.ensure(wanted);
    await untilUp(harness, wanted);
    assert.equal((await backend.delete(wanted.externalKey, wanted)).outcome, 'accepted');
    await untilAbsent(harness, wanted);
    assert.equal(await held(wanted.externalKey), 0);
    assert.equal((await backend.delete(wanted.externalKey, wanted)).outcome, 'accepted');
    const listed = await backend.inventory(harness.prefix);
    assert.equal(listed.outcome, 'listed');
    assert.deepEqual(listed.rows, []);
    assert.notEqual(listed.sources.length, 0);
  });

  rule('a launch that is still under way can be deleted', async (harness) => {
    const wanted = harness.order();
    await harness.backend.ensure(wanted);
    await harness.backend.delete(wanted.externalKey, wanted);
    await untilAbsent(harness, wanted);
    for (let i = 0; i < 10; i++) await harness.step();
    assert.equal(await harness.held(wanted.externalKey), 0);
  });
}

function trouble(rule: Rule): void {
  rule('a provider that does not answer is unknown: never absent, never empty, never done', async (harness) => {
    if (!harness.blind) return;
    const { backend } = harness;
    const wanted = harness.order();
    await backend.ensure(wanted);
    const up = await untilUp(harness, wanted);
    const seen = { url: up.url, providerId: up.providerId };
    harness.blind(true);
    const key = wanted.externalKey;
    assert.equal((await backend.discover(key, wanted)).outcome, 'unknown');
    assert.equal((await backend.observe(key, { ...hintsFor(wanted, 'absence'), ...seen })).outcome, 'unknown');
    assert.equal((await backend.inventory(harness.prefix)).outcome, 'unknown');
    assert.notEqual((await backend.ensure(wanted)).outcome, 'refused');
    assert.notEqual((await backend.delete(key, wanted)).outcome, 'accepted');
    harness.blind(false);
    assert.equal((await backend.discover(key, wanted)).outcome, 'present');
  });

  rule(
    'a thing that the renting tool has forgotten is still present, serves on, and can be deleted',
    async (harness) => {
      if (!harness.loseRecord) return;
      const { backend, held } = harness;
      const wanted = harness.order();
      const key = wanted.externalKey;
      await backend.ensure(wanted);
      const up = await untilUp(harness, wanted);
      harness.loseRecord(key);
      assert.equal((await backend.discover(key, wanted)).outcome, 'present');
      assert.equal((await backend.ensure(wanted)).outcome, 'accepted');
      const known = { launching: false, mayBeInvisible: false, url: up.url, providerId: up.providerId };
      const seen = await backend.observe(key, { ...hintsFor(wanted, 'follow'), ...known });
      assert.deepEqual(pick(seen), pick(up));
      assert.ok(seen.outcome === 'present' && seen.recordLost !== undefined);
      const listed = await backend.inventory(harness.prefix);
      assert.deepEqual(listed.outcome === 'listed' && listed.rows.map(({ externalKey }) => externalKey), [key]);
      assert.equal((await backend.delete(key, wanted)).outcome, 'accepted');
      await untilAbsent(harness, wanted);
      assert.equal(await held(key), 0);
    },
  );

  rule('a launch whose answer was lost is unknown, and is found again by its key', async (harness) => {
    if (!harness.loseNextLaunchReply) return;
    const { backend } = harness;
    const wanted = harness.order();
    harness.loseNextLaunchReply();
    assert.equal((await backend.ensure(wanted)).outcome, 'unknown');
    assert.equal((await backend.discover(wanted.externalKey, wanted)).outcome, 'present');
    assert.equal((await backend.ensure(wanted)).outcome, 'accepted');
    await untilUp(harness, wanted);
    assert.equal(await harness.held(wanted.externalKey), 1);
  });
}
