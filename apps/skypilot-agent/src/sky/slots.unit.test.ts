import { describe, expect, test } from '@jest/globals';
import { VirtualClock, type CommandOutcome, type CommandRequest } from '@davit/ports';
import { hints, launched } from '../testing/hints.js';
import { elasticSpec, WorldRig } from '../testing/world-rig.js';
import { SkyCli } from './cli.js';
import { DEFAULT_SKY_SETTINGS, launchSlotsOf } from './settings.js';

/** Commands that end when told to. */
class HeldCommands {
  readonly started: string[] = [];
  private readonly ends = new Map<string, (outcome: CommandOutcome) => void>();

  run({ args }: CommandRequest): Promise<CommandOutcome> {
    const name = args.join(' ');
    this.started.push(name);
    return new Promise((resolve) => this.ends.set(name, resolve));
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.({ kind: 'exited', exitCode: 0, stdout: '', stderr: '' });
    await new VirtualClock().advance(0);
  }
}

function held() {
  const commands = new HeldCommands();
  const place = { binary: 'sky', home: '/', path: '', userId: '0badcafe' };
  const launches = { '*': 2, aws: 1 };
  const cli = new SkyCli(commands, { ...DEFAULT_SKY_SETTINGS, ...place, launches, maxDeletions: 1 });
  const launch = (name: string, cloud: string) => void cli.run('launch', [name, [], 'f.yaml'], { cloud });
  const of = (verb: string) => commands.started.filter((line) => line.startsWith(verb));
  return { commands, cli, launch, of };
}

describe('turns', () => {
  test('come in order, as many at once as a cloud has slots', async () => {
    const { commands, launch, of } = held();
    for (const name of ['a', 'b', 'c', 'd']) launch(name, 'runpod');
    await commands.end('');
    expect(of('launch').map((line) => line.split(' ')[2])).toEqual(['a', 'b']);
    await commands.end('launch -c a -y --async f.yaml');
    await commands.end('launch -c b -y --async f.yaml');
    expect(of('launch').map((line) => line.split(' ')[2])).toEqual(['a', 'b', 'c', 'd']);
  });

  test('on one cloud that hangs hold up neither another cloud nor deletions nor questions', async () => {
    const { commands, cli, launch, of } = held();
    for (const name of ['a', 'b', 'c']) launch(name, 'aws');
    launch('d', 'runpod');
    void cli.run('down', ['x']);
    void cli.run('list-clusters', []);
    void cli.run('task-log', ['y']);
    await commands.end('');
    expect(of('launch').map((line) => line.split(' ')[2])).toEqual(['a', 'd']);
    expect([of('down'), of('status'), of('logs')].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test.each([
    ['runpod=8,aws=4', { '*': 8, vast: 1, runpod: 8, aws: 4 }],
    ['*=3, vast=2', { '*': 3, vast: 2 }],
    ['runpod', undefined],
    ['runpod=0', undefined],
    ['', undefined],
  ])('"%s" is read or refused', (text, slots) => expect(launchSlotsOf(text)).toEqual(slots));
});

describe('a cloud whose machines do not answer', () => {
  test('holds up neither the deletions nor the explained starts of another cloud', async () => {
    const rig = new WorldRig({
      settings: { maxDeletions: 1, maxQuestions: 1, diagnosis: { ...DEFAULT_SKY_SETTINGS.diagnosis, afterMs: 0 } },
    });
    const elsewhere = { mode: 'elastic', placements: [{ cloud: 'aws', region: 'us-east-1', accelerator: 'L40S' }] };
    const spec = elasticSpec({ spec: { compute: elsewhere } });
    const [ill, well] = [(await launched(rig)).order, (await launched(rig, rig.order(spec))).order];
    await rig.clock.advance(20_000);
    rig.world.faults.add({ service: 'sky', verb: 'logs', name: ill.externalKey, effect: { kind: 'hang' } });
    rig.world.faults.add({ service: 'sky', verb: 'down', name: ill.externalKey, effect: { kind: 'hang' } });
    const tookMs = async (work: Promise<unknown>): Promise<number> => {
      const beforeMs = rig.clock.nowMs();
      await work;
      return rig.clock.nowMs() - beforeMs;
    };
    const looking = rig.backend.observe(ill.externalKey, hints(ill));
    expect(await tookMs(rig.backend.observe(well.externalKey, hints(well)))).toBeLessThan(30_000);
    await looking;
    const ending = rig.backend.delete(ill.externalKey, ill);
    expect(await tookMs(rig.backend.delete(well.externalKey, well))).toBeLessThan(30_000);
    await ending;
  });
});

describe('launches at Vast', () => {
  test('follow each other: the next begins when the one before has its machine', async () => {
    const rig = new WorldRig({ timings: { provisionMs: 30_000 } });
    const spec = elasticSpec({
      spec: { compute: { mode: 'elastic', placements: [{ cloud: 'vast', accelerator: 'L40S' }] } },
    });
    const orders = [rig.order(spec), rig.order(spec)];
    const results = orders.map((order) => launched(rig, order));
    await results[0];
    await rig.clock.advance(10_000);
    const launches = () => rig.commandLines().filter((line) => line.startsWith('launch')).length;
    expect(launches()).toBe(1);
    await rig.clock.advance(60_000);
    await results[1];
    expect(launches()).toBe(2);
  });
});

describe('a deletion that hangs', () => {
  test('gives its slot and key back long before SkyPilot gives up, and what it did is found by looking', async () => {
    const rig = new WorldRig();
    const { order } = await launched(rig);
    await rig.clock.advance(10_000);
    rig.world.faults.add({ service: 'sky', verb: 'down', effect: { kind: 'hang' } });
    const beforeMs = rig.clock.nowMs();
    expect(await rig.backend.delete(order.externalKey, order)).toMatchObject({ outcome: 'unknown' });
    expect(rig.clock.nowMs() - beforeMs).toBeLessThan(120_000);
    const gone = await rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }));
    expect(gone).toEqual({ outcome: 'absent' });
  });
});

describe('looking at 200 replicas', () => {
  test('takes as many runs of `sky status` for an interval as looking at one', async () => {
    const rig = new WorldRig({ settings: { steadyAgeMs: 10_000 } });
    const spec = elasticSpec({ spec: { secrets: [] } });
    const orders = Array.from({ length: 200 }, () => rig.order(spec));
    rig.world.stock.set({ gpu: 'L40S', free: 1_000 });
    for (const order of orders) await launched(rig, order);
    await rig.clock.advance(30_000);
    const known = await Promise.all(
      orders.map(async (order) => {
        const seen = await rig.backend.observe(order.externalKey, hints(order));
        if (seen.outcome !== 'present') throw new Error(seen.outcome);
        return hints(order, { launching: false, url: seen.url, providerId: seen.providerId });
      }),
    );
    const perInterval = async (fleet: typeof known): Promise<number> => {
      await rig.clock.advance(20_000);
      rig.requests.length = 0;
      await Promise.all(fleet.map((hint) => rig.backend.observe(hint.subject.externalKey, hint)));
      return rig.requests.length;
    };
    const one = await perInterval(known.slice(0, 1));
    expect([one, await perInterval(known)]).toEqual([1, 1]);
  });
});
