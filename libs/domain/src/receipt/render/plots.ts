import type { VerdictBundle } from '../../verdict/bundle.js';
import { addAmounts } from '../../money.js';
import { atRank, spreadsOf } from '../../verdict/counts/spread.js';
import { sortWindows } from '../../verdict/counts/usable.js';
import { lastBundle } from '../derive/spend.js';
import type { Receipt, ReceiptSources } from '../receipt.js';
import type { Series } from './line.js';
import { type Mark, lineChart } from './svg.js';
import { workerTimeline } from './timeline.js';

const QUANTILES = [0.5, 0.95, 0.99] as const;
const nameOf = (quantile: number): string => `p${Math.round(quantile * 100)}`;

/** The figures of a receipt as pictures, by file name; what was not measured has none. */
export function plotsOf(receipt: Receipt, sources: ReceiptSources): Readonly<Record<string, string>> {
  const bundle = lastBundle(sources)?.value;
  const marks = marksOf(sources);
  const queue = bundle ? quantileSeries(bundle, 'queueTime', [0.95]) : [];
  const latency = bundle ? quantileSeries(bundle, 'latency', QUANTILES) : [];
  const end = Date.parse(receipt.rollout.endedAt ?? receipt.events.at(-1)?.at ?? receipt.rollout.startedAt);
  const plots = {
    'latency.svg': lineChart(latency, {
      ...{ title: 'Latency of production, before and after', unit: 'ms', marks },
      promised: promisedOf(receipt, 'latency-p95'),
    }),
    'queue-time.svg': lineChart(queue, {
      ...{ title: 'Queue time of production, before and after', unit: 'ms', marks },
      promised: promisedOf(receipt, 'queue-time-p95'),
    }),
    'load-latency.svg': lineChart(loadSeries(receipt), {
      title: 'Latency of the candidate under load',
      unit: 'ms',
      marks: [],
    }),
    'workers.svg': workerTimeline(receipt.workers, end, marks),
    'spend.svg': lineChart(spendSeries(receipt), {
      title: 'Spent so far',
      unit: receipt.spend.totals.map(({ currency }) => currency).join(', '),
      marks,
    }),
  };
  return Object.fromEntries(Object.entries(plots).flatMap(([name, svg]) => (svg === undefined ? [] : [[name, svg]])));
}

const MARKS: Readonly<Record<string, string>> = {
  'davit.rollout.update-attempted': 'update',
  'davit.rollout.converged': 'converged',
  'davit.rollout.rollback-attempted': 'rollback',
  'davit.rollout.rollback-observed': 'old again',
};

const promisedOf = ({ slo }: Receipt, measure: string): number | null =>
  slo.find(({ metric }) => metric === measure)?.objective ?? null;

const marksOf = ({ events }: ReceiptSources): readonly Mark[] =>
  events.flatMap(({ type, time }) =>
    MARKS[type] === undefined ? [] : [{ atMs: Date.parse(time), label: MARKS[type] }],
  );

/** Quantiles of each usable window at its end, the baseline first; what lies between the two was not measured. */
export function quantileSeries(
  bundle: VerdictBundle,
  signal: 'latency' | 'queueTime',
  quantiles: readonly number[],
): readonly Series[] {
  const sides = [bundle.baseline, bundle.candidate].map(
    (windows) => sortWindows(windows, bundle.policy.maxUnknownShare).usable,
  );
  return quantiles.map((quantile) => ({
    name: nameOf(quantile),
    points: sides.flatMap((windows, side) => {
      const points = windows.map((window) => {
        const asked = signal === 'latency' || window.queueMs.length > 0;
        const rank = Math.ceil(quantile * window.requests);
        const value = asked ? atRank(spreadsOf(window, signal), rank, 'high') : Infinity;
        return { atMs: window.toMs, value: Number.isFinite(value) ? value : null };
      });
      const [first] = windows;
      return side > 0 && first ? [{ atMs: first.fromMs, value: null }, ...points] : points;
    }),
  }));
}

const loadSeries = ({ load }: Receipt): readonly Series[] =>
  (['p50', 'p95', 'p99'] as const).map((name) => ({
    name,
    points: load.flatMap(({ steps }) =>
      steps.map(({ from, latencyMs }) => ({ atMs: Date.parse(from), value: latencyMs[name] })),
    ),
  }));

function spendSeries({ spend }: Receipt): readonly Series[] {
  return spend.totals.map(({ currency }) => {
    let sum = '0';
    const own = spend.lines.filter((line) => line.currency === currency).toSorted((a, b) => (a.to < b.to ? -1 : 1));
    const points = own.map(({ to, amount }) => {
      sum = addAmounts(sum, amount ?? '0');
      // For a picture alone: nothing is reckoned with it.
      return { atMs: Date.parse(to), value: Number(sum) };
    });
    return { name: currency, points };
  });
}
