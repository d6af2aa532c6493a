import { VirtualClock } from '@davit/ports';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { engineOf } from '../engines/registry.js';
import { readLoad } from '../metrics/load.js';
import { FleetBook } from './fleet-book.js';
import type { Probed } from './observer.js';

const { metrics } = engineOf({ engine: 'vllm' });
if (!metrics) throw new Error('vLLM tells metrics');
const READY: Probed['result'] = {
  ...{ outcome: 'ready', servedModel: 'm', healthMs: 1, modelsMs: 1, inferenceMs: null, signals: [] },
};
const load = (running: number, generated: number) =>
  readLoad(
    `vllm:num_requests_running{model_name="m"} ${running}\nvllm:generation_tokens_total{model_name="m"} ${generated}\n`,
    metrics,
  );

const seen = (id: string, change: Partial<Probed> = {}): Probed => ({
  replica: { id, tenant: 'default', deployment: 'default/qwen', servedName: 'm' },
  spec: { runtime: { engine: 'vllm' } },
  result: READY,
  reading: null,
  ...change,
});

describe('the book of the fleet', () => {
  let clock: VirtualClock;
  beforeEach(() => {
    clock = new VirtualClock();
  });

  /** The lines of a metric, without the labels that are the same for all. */
  const shown = async (book: FleetBook, metric: string): Promise<readonly string[]> =>
    (await book.metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(`davit_replica_${metric}{`))
      .map((line) => line.replace(/^.*replica="([^"]+)".*\} /, '$1 '));

  it('tells a replica apart by labels that stay while it lives', async () => {
    const book = new FleetBook({ clock });
    book.probed(seen('a'));
    expect(await book.metrics.registry.metrics()).toContain(
      'davit_replica_ready{tenant="default",deployment="default/qwen",replica="a",engine="vllm",model="m"} 1',
    );
  });

  it('law-04: a number that no server told is left out, and one that is too old is no longer shown', async () => {
    const book = new FleetBook({ clock, readingLifetimeMs: 1_000 });
    book.probed(seen('a'));
    expect(await shown(book, 'requests_running')).toEqual([]);
    book.probed(seen('a', { reading: load(3, 100) }));
    expect(await shown(book, 'requests_running')).toEqual(['a 3']);
    expect(await shown(book, 'requests_waiting')).toEqual([]);
    await clock.advance(1_001);
    book.probed(seen('a'));
    expect(await shown(book, 'requests_running')).toEqual([]);
    expect(await shown(book, 'ready')).toEqual(['a 1']);
  });

  it('shows tokens a second between two readings, also where a probe between them read none', async () => {
    const book = new FleetBook({ clock });
    book.probed(seen('a', { reading: load(1, 100) }));
    await clock.advance(2_000);
    book.probed(seen('a'));
    await clock.advance(2_000);
    book.probed(seen('a', { reading: load(1, 500) }));
    expect(await shown(book, 'generated_tokens_per_second')).toEqual(['a 100']);
  });

  it('drops a replica that is forgotten, or was not probed here for long', async () => {
    const book = new FleetBook({ clock, lifetimeMs: 1_000 });
    book.probed(seen('a'));
    book.probed(seen('b'));
    book.forgotten('a');
    expect(await shown(book, 'ready')).toEqual(['b 1']);
    await clock.advance(1_001);
    expect(await shown(book, 'ready')).toEqual([]);
  });

  it('takes so many replicas and no more; who is left out is counted, and comes in once there is room', async () => {
    const book = new FleetBook({ clock, most: 2 });
    for (const id of ['a', 'b', 'c', 'c', 'd']) book.probed(seen(id));
    expect(await shown(book, 'ready')).toEqual(['a 1', 'b 1']);
    expect(book.leftOut).toBe(2);
    book.forgotten('a');
    book.forgotten('d');
    book.probed(seen('c'));
    expect(await shown(book, 'ready')).toEqual(['b 1', 'c 1']);
    expect(book.leftOut).toBe(0);
  });
});
