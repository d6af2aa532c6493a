import { ActionIcon, Button, Group, NativeSelect, Text, Tooltip } from '@mantine/core';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { clockText, dayText, exactText, relativeText } from '../format/time.js';
import { useFeedState } from '../live/live.js';
import { useAt, useSetParameters } from './at.js';
import { useTimeText } from './clock.js';
import { Landmarks } from './landmarks.js';
import { useLogStart, useMoment } from './moment.js';
import styles from './time-bar.module.css';

const MINUTE = 60_000;
const SPANS = [
  { label: '15 minutes', value: String(15 * MINUTE) },
  { label: '1 hour', value: String(60 * MINUTE) },
  { label: '6 hours', value: String(360 * MINUTE) },
  { label: '1 day', value: String(1_440 * MINUTE) },
  { label: '7 days', value: String(10_080 * MINUTE) },
  { label: 'All of it', value: 'all' },
];
/** While the handle is dragged, how often the page moves along. */
const DRAG_MS = 150;

/** Moves the whole page to any past instant, and back. */
export function TimeBar() {
  const at = useAt();
  const moment = useMoment();
  const set = useSetParameters();
  const start = useLogStart();
  const [span, setSpan] = useState('all');
  const nowMs = useTimeText((ms) => ms - (ms % 1_000));
  const wallMs = useWall(nowMs, at !== undefined);
  const toMs = wallMs;
  const fromMs = Math.min(
    toMs - 10_000,
    span === 'all' ? (start ?? toMs - 15 * MINUTE) : Math.max(start ?? 0, toMs - Number(span)),
  );
  const [dragged, setDragged] = useState<number | undefined>();
  const shown = dragged ?? moment ?? toMs;
  const follow = useThrottled((ms: number) => set({ at: atOf(ms, toMs) }, true), DRAG_MS);

  const onSlide = (event: ChangeEvent<HTMLInputElement>): void => {
    const ms = Number(event.currentTarget.value);
    setDragged(ms);
    follow(ms);
  };
  const settle = (): void => setDragged(undefined);
  const past = at !== undefined;
  return (
    <div className={styles.bar} data-past={past || undefined} role="group" aria-label="Time">
      <NativeSelect
        aria-label="How far back the slider reaches"
        data={SPANS}
        value={span}
        onChange={(event) => setSpan(event.currentTarget.value)}
        size="xs"
        className={styles.span}
      />
      <Steps />
      <div className={styles.track}>
        <Landmarks fromMs={fromMs} toMs={toMs} />
        <input
          type="range"
          className={styles.range}
          aria-label="Instant that the page shows"
          aria-valuetext={past ? exactText(shown) : 'now'}
          min={fromMs}
          max={toMs}
          step={Math.max(1, Math.round((toMs - fromMs) / 2_000))}
          value={Math.max(fromMs, Math.min(toMs, shown))}
          onChange={onSlide}
          onPointerUp={settle}
          onKeyUp={settle}
          onBlur={settle}
        />
      </div>
      <Text size="xs" className={styles.label} title={exactText(shown)}>
        {past && <span className={styles.day}>{dayText(new Date(shown))} </span>}
        {past ? clockText(new Date(shown)) : 'now'}
        {past && <span className={styles.ago}>{relativeText(shown, toMs)}</span>}
      </Text>
      {past ? (
        <Button size="compact-sm" className={styles.back} onClick={() => set({ at: null })}>
          Back to live
        </Button>
      ) : (
        <Text size="xs" c="dimmed" className={styles.hint}>
          Slide to look back
        </Text>
      )}
    </div>
  );
}

/** One event back, one event on. */
function Steps() {
  const at = useAt();
  const live = useFeedState((state) => state.position);
  const moment = useMoment();
  const set = useSetParameters();
  const position = at === undefined ? live : /^\d+$/.test(at) ? Number(at) : undefined;
  const step = (by: number): void => {
    if (position !== undefined) set({ at: position + by >= live ? null : String(Math.max(1, position + by)) });
  };
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label={position === undefined ? 'Steps go from a position' : 'One event back'}>
        <ActionIcon
          variant="default"
          size="sm"
          aria-label="One event back"
          disabled={position === undefined || position <= 1 || moment === null}
          onClick={() => step(-1)}
        >
          ‹
        </ActionIcon>
      </Tooltip>
      <Tooltip label="One event on">
        <ActionIcon
          variant="default"
          size="sm"
          aria-label="One event on"
          disabled={at === undefined || position === undefined}
          onClick={() => step(1)}
        >
          ›
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

/** At its end the slider is live again. */
const atOf = (ms: number, toMs: number): string | null => (ms >= toMs - 500 ? null : new Date(ms).toISOString());

/** The clock on the wall, which stands still while something past is looked at, so that the handle does too. */
function useWall(pageMs: number, past: boolean): number {
  const [held, setHeld] = useState(() => Date.now());
  useEffect(() => {
    if (past) setHeld(Date.now());
  }, [past]);
  return past ? held : pageMs;
}

function useThrottled(act: (ms: number) => void, everyMs: number): (ms: number) => void {
  const latest = useRef(act);
  const pending = useRef<number | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (ms) => {
    pending.current = ms;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      if (pending.current !== undefined) latest.current(pending.current);
    }, everyMs);
  };
}
