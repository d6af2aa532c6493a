import { LineChart } from '@mantine/charts';
import { axisText, exactText } from '../format/time.js';

const TICKS = 6;

export interface Series {
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

type Point = Readonly<Record<string, number | string | null>> & { readonly atMs: number };

/** Values over time. A value that nobody said leaves a hole: it is not zero. */
export function TimeChart({
  label,
  points,
  series,
  unit = '',
  height = 220,
  curve = 'stepAfter',
  limits = [],
  valueText,
}: {
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly unit?: string;
  readonly height?: number;
  readonly curve?: 'stepAfter' | 'linear';
  readonly limits?: readonly { readonly y: number; readonly label: string }[];
  readonly valueText?: (value: number) => string;
}) {
  const first = points[0]?.atMs ?? 0;
  const last = points.at(-1)?.atMs ?? 0;
  return (
    <figure role="img" aria-label={`${label}: ${summary(points, series, unit)}`} style={{ margin: 0 }}>
      <LineChart
        h={height}
        data={points.map((point) => ({ ...point }))}
        dataKey="atMs"
        series={series.map((one) => ({ ...one }))}
        curveType={curve}
        withDots={points.length < 2}
        strokeWidth={1.75}
        gridAxis="xy"
        withLegend={series.length > 1}
        legendProps={{ height: 30 }}
        referenceLines={limits.map((limit) => ({ ...limit, color: 'red.6' }))}
        connectNulls={false}
        unit={valueText === undefined ? unit : ''}
        {...(valueText === undefined ? {} : { valueFormatter: valueText })}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: ['dataMin', 'dataMax'],
          ticks: ticksOf(first, last),
          tickFormatter: (value: number) => axisText(value, last - first),
          minTickGap: 40,
        }}
        tooltipProps={{ labelFormatter: (value) => exactText(Number(value)) }}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={{ margin: { right: 28, top: 6 } }}
      />
    </figure>
  );
}

/** Evenly over the whole span: where values crowd, their own times would lie upon each other. */
const ticksOf = (first: number, last: number): number[] =>
  Array.from({ length: TICKS }, (_, tick) => first + ((last - first) * tick) / (TICKS - 1));

/** What a chart says, for who does not see it. */
function summary(points: readonly Point[], series: readonly Series[], unit: string): string {
  if (points.length === 0) return 'no values';
  return series
    .map(({ name, label }) => {
      const values = points.map((point) => point[name]).filter((value) => typeof value === 'number');
      if (values.length === 0) return `${label} unknown`;
      return `${label} ${Math.min(...values)} to ${Math.max(...values)}${unit}, last ${values.at(-1) ?? ''}${unit}`;
    })
    .join('; ');
}
