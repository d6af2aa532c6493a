import { beforeAll, expect, test } from '@jest/globals';
import { offersAnswer } from '@davit/contracts';
import type { Stage } from './stage.js';

const SCARCE = 'default/scarce';
const RACED = 'default/raced';
const AGREED = 'default/agreed';
const DEARER = 'default/dearer';

export function stockCases(stage: Stage): void {
  beforeAll(async () => {
    const { rig, market } = stage();
    const { world } = rig;
    await world.setStock('L4', 0);
    await world.setStock('A40', 0);
    // Somebody is faster: the level says that there is stock, and the create fails.
    await world.setStock('H100', 1, { failNext: 1 });
    // What was agreed is billed, whatever the list says.
    await world.setPrice('RTXA6000', { secure: 0.55, billedFactor: 0.2 });
    await world.setPrice('RTX5090', { billedFactor: 1.5 });
    await Promise.all([
      market.apply({ name: 'scarce', placements: ['L4:1', 'A40:1'] }),
      market.apply({ name: 'raced', placements: ['H100:1', 'RTX6000-Ada:1'] }),
      market.apply({ name: 'agreed', placements: ['RTXA6000:1'] }),
      market.apply({ name: 'dearer', placements: ['RTX5090:1'] }),
    ]);
  });

  test('law-09: without stock on any rung a replica waits in sight, and fails nothing; the rung that has stock again is taken', async () => {
    const { rig, market } = stage();
    const waiting = await market.waiting(SCARCE);
    expect(waiting).toMatchObject({ state: 'waiting', wait: { next: expect.stringMatching(/L4.*A40/) } });
    expect(Date.parse(waiting.wait?.deadline ?? '')).toBeGreaterThan(Date.parse(waiting.wait?.since ?? ''));
    const shown = await market.cli(['get', 'replicas']);
    expect(shown.stdout).toMatch(/scarce-1-0-1.*waiting/);

    await rig.world.setStock('A40', 12);
    const [serving] = await market.serving(SCARCE, 1);
    expect(serving?.placement?.accelerator).toEqual({ name: 'A40', count: 1 });

    const [deferred] = await market.events('davit.replica.deferred', SCARCE);
    expect(deferred?.data.evidence).toMatchObject([
      { rung: 0, state: 'unavailable', verdict: 'rejected', source: 'runpod-v2', scope: 'global' },
      { rung: 1, state: 'unavailable', verdict: 'rejected', source: 'runpod-v2', scope: 'global' },
    ]);
    const [placed, ...more] = await market.events('davit.replica.placed', SCARCE);
    expect(more).toEqual([]);
    expect(placed?.data).toMatchObject({ rung: 1, adopted: false, price: { amount: '0.4', kind: 'quoted' } });
    expect(await market.events('davit.replica.failed', SCARCE)).toEqual([]);
    expect(await market.events('davit.resource.launch-attempted', SCARCE)).toHaveLength(1);
  });

  test('law-15: the story of a replica reaches from the user’s intent to the rung it got, without a gap', async () => {
    const { market } = stage();
    const [serving] = await market.serving(SCARCE, 1);
    const told = await market.cli(['--json', 'explain', 'replica', serving?.id ?? '']);
    expect(told.exitCode).toBe(0);
    expect(JSON.parse(told.stdout)).toMatchObject({ about: { kind: 'replica', name: serving?.id }, gaps: [] });
    const human = await market.cli(['explain', 'replica', serving?.id ?? '']);
    expect(human.stdout).toMatch(/L4[\s\S]*A40/);
  });

  test('a rung that refuses although its signal says stock is left, and that offer is believed less from then on', async () => {
    const { market } = stage();
    const [serving] = await market.serving(RACED, 1);
    expect(serving?.placement?.accelerator).toEqual({ name: 'RTX6000-Ada', count: 1 });
    expect(serving?.incarnation).toBe(2);
    const [failed] = await market.events('davit.replica.failed', RACED);
    expect(failed?.data).toMatchObject({ class: 'capacity', placement: { accelerator: { name: 'H100', count: 1 } } });
    const [, second] = await market.events('davit.replica.placed', RACED);
    expect(second?.data.evidence[0]).toMatchObject({
      rung: 0,
      verdict: 'rejected',
      reason: expect.stringMatching(/refused/),
    });
    const offers = await market.cli(['--json', 'capacity', 'offers', '--accelerator', 'H100']);
    const [offer] = offersAnswer.parse(JSON.parse(offers.stdout)).items;
    expect(offer?.honesty).toMatchObject({ saidAvailable: 1, refused: 1 });
    expect(offer?.confidence).toBeLessThan(0.5);
  });

  test('law-14: the operator’s own price wins over what the provider quotes, and both are in the log', async () => {
    const { market } = stage();
    const [serving] = await market.serving(AGREED, 1);
    const [placed] = await market.events('davit.replica.placed', AGREED);
    expect(placed?.data.price).toMatchObject({ amount: '0.11', kind: 'catalogue', source: 'operator' });
    expect(serving?.placement?.accelerator?.name).toBe('RTXA6000');
    await market.until('the quote of the provider is told beside it', async () => {
      const quotes = (await market.log()).filter(({ type }) => type === 'davit.capacity.price-quoted');
      return quotes.some(
        ({ data }) => 'price' in data && data.price?.source === 'runpod-v2' && data.price.amount === '0.55',
      )
        ? true
        : undefined;
    });
  });

  test('law-14: a bill that is not what was quoted is an alarm that names both', async () => {
    const { market } = stage();
    const [serving] = await market.serving(DEARER, 1);
    const alarm = await market.alarm('price-deviation', /^default\/dearer-/);
    expect(alarm).toMatchObject({ about: serving?.id, detail: expect.stringMatching(/1\.335[\s\S]*0\.89[\s\S]*50/) });
    expect((await market.alarms()).filter(({ about }) => about.startsWith(AGREED))).toEqual([]);
  });

  test('signals are asked on a schedule and kept: the history shows stock come and go', async () => {
    const { rig, market } = stage();
    await market.until('a sample says that there is A40 again', async () => {
      const states = (await market.log()).flatMap((event) =>
        event.type === 'davit.capacity.sampled' && event.data.placement.accelerator?.name === 'A40'
          ? [event.data.signal.state]
          : [],
      );
      return states.includes('available') ? true : undefined;
    });
    const history = await market.cli(['capacity', 'history', '--accelerator', 'A40', '--from', '1h']);
    expect(history).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/unavailable[\s\S]*available/) });
    expect(await rig.world.calls()).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ service: 'runpod', status: 429 })]),
    );
  });
}
