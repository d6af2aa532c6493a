import { LineChart } from '@mantine/charts';
import type { RolloutObjectives } from '@davit/contracts';
import { type Evidence, type Measured, type Objective, latencyObjectives } from './evidence.js';
import styles from './rollout.module.css';

interface Line {
  readonly name: keyof Measured;
  readonly label: string;
  readonly color: string;
}

const LATENCIES: readonly Line[] = [
  { name: 'p50', label: 'p50', color: 'var(--tone-good)' },
  { name: 'p95', label: 'p95', color: 'var(--tone-progress)' },
  { name: 'p99', label: 'p99', color: 'var(--tone-ending)' },
];

/** What was measured, against what was promised. */
export function SloCharts({
  evidence,
  objectives,
}: {
  readonly evidence: Evidence;
  readonly objectives: RolloutObjectives | undefined;
}) {
  const { ramps, baseline } = evidence;
  const queue = objectives?.queueTimeP95Ms;
  const errors = objectives?.errorRate;
  return (
    <div className={styles.charts}>
      {ramps.length > 0 && (
        <>
          <Chart
            title="Candidate under load: latency by step of the ramps, ms"
            rows={ramps}
            series={LATENCIES}
            limits={latencyObjectives(objectives)}
          />
          <Chart
            title="Candidate under load: time in the queue, p95, ms"
            rows={ramps}
            series={[{ name: 'queueP95', label: 'queue p95', color: 'var(--tone-waiting)' }]}
            limits={queue === undefined ? [] : [{ y: queue, label: `promised ${queue} ms` }]}
          />
          <Chart
            title="Candidate under load: failed requests, %"
            rows={ramps}
            series={[{ name: 'errorPercent', label: 'failed', color: 'var(--tone-bad)' }]}
            limits={errors === undefined ? [] : [{ y: errors * 100, label: `promised ${errors * 100} %` }]}
          />
        </>
      )}
      {baseline.length > 0 && (
        <Chart
          title="Production before the change: latency by window, ms"
          rows={baseline}
          series={LATENCIES}
          limits={latencyObjectives(objectives)}
        />
      )}
    </div>
  );
}

function Chart({
  title,
  rows,
  series,
  limits,
}: {
  readonly title: string;
  readonly rows: readonly Measured[];
  readonly series: readonly Line[];
  readonly limits: readonly Objective[];
}) {
  const last = rows.at(-1);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div
        role="img"
        aria-label={`${title}: last ${series.map(({ name, label }) => `${label} ${last?.[name] ?? 'unknown'}`).join(', ')}`}
      >
        <LineChart
          h={210}
          data={rows.map((row) => ({ ...row }))}
          dataKey="name"
          series={series.map((one) => ({ ...one }))}
          curveType="linear"
          connectNulls={false}
          withLegend={series.length > 1}
          legendProps={{ height: 28 }}
          referenceLines={limits.map((limit) => ({ ...limit, color: 'red.6', labelPosition: 'insideTopRight' }))}
          lineProps={{ isAnimationActive: false }}
        />
      </div>
    </figure>
  );
}
