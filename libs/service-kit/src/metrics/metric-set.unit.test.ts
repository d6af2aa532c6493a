import { describe, expect, test } from '@jest/globals';
import { type MetricDefinition, each, single } from './definition.js';
import { MetricSet } from './metric-set.js';

const metric = <Label extends string>(
  type: MetricDefinition['type'],
  labels: MetricDefinition<Label>['labels'],
): MetricDefinition<Label> => ({ type, name: 'davit_thing', help: 'A thing', labels, buckets: [1, 2] });

/** The lines of the metric, without its help and type. */
const linesOf = async ({ registry }: MetricSet): Promise<readonly string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith('davit_'));

describe('a set of metrics', () => {
  test('a counter has every combination of known values from the start, at zero', async () => {
    const set = new MetricSet();
    const counter = set.counter(metric('counter', { a: ['x', 'y'], b: ['1', '2'] }));
    counter.inc({ a: 'y', b: '1' });
    expect(await linesOf(set)).toEqual([
      'davit_thing{a="x",b="1"} 0',
      'davit_thing{a="x",b="2"} 0',
      'davit_thing{a="y",b="1"} 1',
      'davit_thing{a="y",b="2"} 0',
    ]);
  });

  test('a histogram has every known value from the start, empty', async () => {
    const set = new MetricSet();
    set.histogram(metric('histogram', { a: ['x', 'y'] }));
    expect(await linesOf(set)).toEqual(
      expect.arrayContaining(['davit_thing_count{a="x"} 0', 'davit_thing_count{a="y"} 0']),
    );
  });

  test('what is counted elsewhere shows what it stands at, not the sum of scrapes', async () => {
    const set = new MetricSet();
    set.counted(metric('counter', {}), () => single(7));
    await linesOf(set);
    expect(await linesOf(set)).toEqual(['davit_thing 7']);
  });

  test.each([
    ['with a label', { a: 'open' } as const, each('a', { x: 3 }), ['davit_thing{a="x"} 3']],
    ['without one', {}, single(3), ['davit_thing 3']],
  ])(
    'law-04: a gauge %s that is no longer known is left out, neither zero nor as it was',
    async (_, labels, known, shown) => {
      const set = new MetricSet();
      let samples = known;
      set.gauge(metric<string>('gauge', labels), () => samples);
      expect(await linesOf(set)).toEqual(shown);
      samples = [];
      expect(await linesOf(set)).toEqual([]);
    },
  );
});
