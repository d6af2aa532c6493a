import type { CapacityHistory, OfferView } from '@davit/contracts';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { durationText, exactText } from '../../format/time.js';
import { useAnswer } from '../../live/queries.js';
import { Mark } from '../../parts/mark.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { TimeChart } from '../../parts/time-chart.js';
import { usePageTime } from '../../time/at.js';
import styles from './capacity.module.css';
import { pricePoints, stockSpans } from './series.js';
import { STOCK_TONES } from './stock.js';

const SPANS = [
  { label: '30 minutes', value: '30m' },
  { label: '2 hours', value: '2h' },
  { label: '1 day', value: '1d' },
  { label: '7 days', value: '7d' },
];

/** Stock and price of one offer over time. */
export function OfferHistory({ offer }: { readonly offer: OfferView }) {
  const [span, setSpan] = useState('2h');
  const { placement } = offer;
  const answer = useAnswer<CapacityHistory>(
    '/v1/capacity/history',
    {
      cloud: placement.cloud,
      ...(placement.region === null ? {} : { region: placement.region }),
      accelerator:
        placement.accelerator === null ? 'cpu' : `${placement.accelerator.name}:${placement.accelerator.count}`,
      spot: placement.spot,
      from: span,
      limit: 1_000,
    },
    ['capacity', 'replica'],
  );
  return (
    <Panel
      title={`History of ${offer.offer}`}
      aside={
        <NativeSelect
          aria-label="Time"
          size="xs"
          data={SPANS}
          value={span}
          onChange={(event) => setSpan(event.currentTarget.value)}
        />
      }
    >
      <Answered answer={answer} lines={6}>
        {(history) =>
          history.items.length === 0 ? (
            <Empty title="Nothing was said of it in this time" />
          ) : (
            <Told history={history} />
          )
        }
      </Answered>
    </Panel>
  );
}

function Told({ history }: { readonly history: CapacityHistory }) {
  const pageMs = usePageTime();
  const endMs = pageMs ?? Date.parse(history.to);
  const prices = useMemo(() => pricePoints(history.items, endMs), [history, endMs]);
  const spans = useMemo(() => stockSpans(history.items, endMs), [history, endMs]);
  const fromMs = spans[0]?.fromMs ?? endMs - 1;
  const wholeMs = Math.max(1, endMs - fromMs);
  return (
    <Stack gap="md" p="md">
      <div>
        <Text size="xs" c="dimmed" mb={6}>
          Stock
        </Text>
        <div
          className={styles.band}
          role="img"
          aria-label={spans.map((one) => `${one.state} for ${durationText(one.toMs - one.fromMs)}`).join(', ')}
        >
          {spans.map((one) => (
            <span
              key={one.fromMs}
              className={styles.span}
              data-tone={STOCK_TONES[one.state]}
              style={{ width: `${((one.toMs - one.fromMs) / wholeMs) * 100}%` }}
              title={`${one.state} from ${exactText(one.fromMs)} for ${durationText(one.toMs - one.fromMs)}`}
            />
          ))}
        </div>
        <div className={styles.legend}>
          {Object.entries(STOCK_TONES).map(([state, tone]) => (
            <Mark key={state} tone={tone}>
              {state}
            </Mark>
          ))}
        </div>
      </div>
      {prices.length > 0 && (
        <TimeChart
          label="Price an hour"
          points={prices.map((point) => ({ ...point }))}
          series={[
            { name: 'quoted', label: 'quoted', color: 'var(--tone-progress)' },
            { name: 'catalogue', label: 'catalogue', color: 'var(--tone-ending)' },
            { name: 'billed', label: 'billed', color: 'var(--tone-good)' },
          ]}
          valueText={(value) => `$${value.toFixed(2)}`}
        />
      )}
      {history.notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </Stack>
  );
}
