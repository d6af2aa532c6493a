import { Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import type { KnownEvents } from '../../live/events-query.js';
import { ExplainLink } from '../../parts/link.js';
import { Empty } from '../../parts/panel.js';
import { axisText, durationText, exactText } from '../../format/time.js';
import { useTimeText } from '../../time/clock.js';
import { toneOfReplica } from '../../words/states.js';
import { type Lane, type Segment, lanesOf } from './timeline.js';
import styles from './deployment.module.css';

/** Lanes that are drawn; the latest lives. */
const SHOWN = 60;
const TICKS = 5;
const LEGEND = ['requested', 'waiting', 'launching', 'loading', 'serving', 'draining', 'deleting', 'failed'];

/** Every life of every replica, as the log tells it. */
export function TimelineChart({ events }: { readonly events: KnownEvents }) {
  const lanes = useMemo(() => lanesOf(events.items), [events.items]);
  // A step a second is more than can be seen of a life of minutes.
  const nowMs = useTimeText((ms) => ms - (ms % 1_000));
  if (lanes.length === 0) return <Empty title="No replica has lived yet" />;
  const shown = lanes.slice(-SHOWN);
  const fromMs = Math.min(...shown.map(({ segments }) => segments[0]?.fromMs ?? nowMs));
  const spanMs = Math.max(1_000, nowMs - fromMs);
  return (
    <div className={styles.timeline}>
      <ul className={styles.legend} aria-label="States">
        {LEGEND.map((state) => (
          <li key={state}>
            <span className={styles.swatch} data-tone={toneOfReplica(state)} data-state={state} aria-hidden="true" />
            {state}
          </li>
        ))}
      </ul>
      <ol className={styles.lanes} aria-label="Lives of replicas">
        {shown.map((lane) => (
          <LaneRow key={lane.replica} lane={lane} fromMs={fromMs} spanMs={spanMs} />
        ))}
      </ol>
      <div className={styles.axis} aria-hidden="true">
        {Array.from({ length: TICKS }, (_, tick) => (
          <span key={tick}>{axisText(fromMs + (spanMs * tick) / (TICKS - 1), spanMs)}</span>
        ))}
      </div>
      {lanes.length > SHOWN && (
        <Text size="xs" c="dimmed">
          The latest {SHOWN} of {lanes.length} lives.
        </Text>
      )}
    </div>
  );
}

const LaneRow = memo(function LaneRow({
  lane,
  fromMs,
  spanMs,
}: {
  readonly lane: Lane;
  readonly fromMs: number;
  readonly spanMs: number;
}) {
  const { replica, segments } = lane;
  return (
    <li className={styles.lane}>
      <span className={styles.laneName}>
        <ExplainLink about={`replicas/${replica}`}>{replica.slice(replica.indexOf('/') + 1)}</ExplainLink>
      </span>
      <span
        className={styles.laneTrack}
        role="img"
        aria-label={segments.map((one) => toldOf(one, fromMs + spanMs)).join(', ')}
      >
        {segments.map((segment) => (
          <span
            key={segment.position}
            className={styles.segment}
            data-tone={segment.tone}
            data-state={segment.state}
            title={`${toldOf(segment, fromMs + spanMs)}, from ${exactText(segment.fromMs)}`}
            style={{
              left: `${((segment.fromMs - fromMs) / spanMs) * 100}%`,
              width: `${(((segment.toMs ?? fromMs + spanMs) - segment.fromMs) / spanMs) * 100}%`,
            }}
          />
        ))}
      </span>
    </li>
  );
});

const toldOf = ({ state, fromMs, toMs }: Segment, nowMs: number): string =>
  `${state} for ${durationText((toMs ?? nowMs) - fromMs)}`;
