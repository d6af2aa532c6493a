import assert from 'node:assert/strict';
import type { InventoryRow, LaunchOrder, ProviderBackend } from '../backend.js';
import { type BackendHarness, hintsFor, type Rule, until, untilUp } from './harness.js';

/** What a backend must do with the things that an inventory shows, and when two of them have one name. */
export function namesakes(rule: Rule): void {
  rule('the inventory shows a thing once, with the identity that is observed, and says who listed', async (harness) => {
    const wanted = harness.order();
    await harness.backend.ensure(wanted);
    const up = await untilUp(harness, wanted);
    const listed = await harness.backend.inventory(harness.prefix);
    assert.ok(listed.outcome === 'listed' && listed.sources.length > 0);
    const rows = listed.rows.filter(({ externalKey }) => externalKey === wanted.externalKey);
    assert.deepEqual(
      rows.map(({ providerId }) => providerId),
      [up.providerId],
    );
    assert.ok(rows.every(({ source }) => source.length > 0));
  });

  rule('of two things of one name the recorded one is kept, and the other is listed beside it', async (harness) => {
    const { backend, double } = harness;
    if (!double) return;
    const { wanted, up, other } = await doubled(harness, double);
    const hints = { ...hintsFor(wanted, 'follow'), launching: false, url: up.url, providerId: up.providerId };
    let duplicates: readonly InventoryRow[] = [];
    await until(harness, async () => {
      const seen = await backend.observe(wanted.externalKey, hints);
      assert.ok(seen.outcome === 'present');
      assert.deepEqual([seen.providerId, seen.url], [up.providerId, up.url]);
      duplicates = seen.duplicates ?? [];
      return duplicates.length > 0;
    });
    assert.deepEqual(
      duplicates.map(({ providerId }) => providerId),
      [other.providerId],
    );
  });

  rule('reaping ends exactly the thing of the row, and never its namesake', async (harness) => {
    const { backend, double, held } = harness;
    if (!double || !backend.reap) return;
    const { wanted, up, other } = await doubled(harness, double);
    const key = wanted.externalKey;
    assert.equal((await backend.reap(other)).outcome, 'accepted');
    await until(harness, async () => (await held(key)) === 1);
    assert.deepEqual(await identities(backend, key, harness.prefix), [up.providerId]);
    const hints = { ...hintsFor(wanted, 'follow'), launching: false, url: up.url, providerId: up.providerId };
    const seen = await backend.observe(key, hints);
    assert.ok(seen.outcome === 'present' && seen.providerId === up.providerId);
    assert.equal((await backend.reap(other)).outcome, 'accepted', 'it is gone already');
    for (let steps = 0; steps < 10; steps++) await harness.step();
    assert.equal(await held(key), 1);
  });

  rule('reaping the only thing of a name leaves nothing, and reaping what is gone is no failure', async (harness) => {
    const { backend, held } = harness;
    if (!backend.reap) return;
    const wanted = harness.order();
    const key = wanted.externalKey;
    await backend.ensure(wanted);
    await untilUp(harness, wanted);
    const row = (await rowsOf(backend, key, harness.prefix))[0];
    assert.ok(row);
    assert.equal((await backend.reap(row)).outcome, 'accepted');
    await until(harness, async () => (await held(key)) === 0);
    assert.equal((await backend.reap(row)).outcome, 'accepted');
  });

  rule('a provider that does not answer has reaped nothing', async (harness) => {
    const { backend, held, blind } = harness;
    if (!backend.reap || !blind) return;
    const wanted = harness.order();
    await backend.ensure(wanted);
    await untilUp(harness, wanted);
    const row = (await rowsOf(backend, wanted.externalKey, harness.prefix))[0];
    assert.ok(row);
    blind(true);
    assert.notEqual((await backend.reap(row)).outcome, 'accepted');
    blind(false);
    assert.equal(await held(wanted.externalKey), 1);
  });
}

/** A thing that is up, and another of its name. */
async function doubled(harness: BackendHarness, double: NonNullable<BackendHarness['double']>) {
  const wanted: LaunchOrder = harness.order();
  double.beforeLaunch?.();
  await harness.backend.ensure(wanted);
  const up = await untilUp(harness, wanted);
  double.afterLaunch?.(wanted.externalKey);
  assert.equal(await harness.held(wanted.externalKey), 2, 'the harness makes a second thing of the name');
  let rows: readonly InventoryRow[] = [];
  await until(harness, async () => {
    rows = await rowsOf(harness.backend, wanted.externalKey, harness.prefix);
    return rows.length === 2;
  });
  const other = rows.find(({ providerId }) => providerId !== up.providerId);
  assert.ok(other && rows.some(({ providerId }) => providerId === up.providerId));
  return { wanted, up, other };
}

async function rowsOf(backend: ProviderBackend, key: string, prefix: string): Promise<readonly InventoryRow[]> {
  const listed = await backend.inventory(prefix);
  assert.ok(listed.outcome === 'listed');
  return listed.rows.filter(({ externalKey }) => externalKey === key);
}

const identities = async (backend: ProviderBackend, key: string, prefix: string): Promise<unknown[]> =>
  (await rowsOf(backend, key, prefix)).map(({ providerId }) => providerId);
