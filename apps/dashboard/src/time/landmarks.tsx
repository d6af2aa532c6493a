import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { get } from '../api/http.js';
import { exactText } from '../format/time.js';
import type { EventPage } from './moment.js';
import styles from './time-bar.module.css';

/** What people remember a moment by. */
const TYPES: Readonly<Record<string, { readonly word: string; readonly tone: string }>> = {
  'davit.deployment.declared': { word: 'declared', tone: 'progress' },
  'davit.deployment.revision-activated': { word: 'revision active', tone: 'good' },
  'davit.deployment.deletion-requested': { word: 'deletion asked for', tone: 'ending' },
  'davit.fleet.replica-lost': { word: 'replica lost', tone: 'bad' },
  'davit.fleet.alarm-raised': { word: 'alarm', tone: 'bad' },
  'davit.fleet.frozen': { word: 'fleet frozen', tone: 'bad' },
};

/** Moments of note along the slider. */
export const Landmarks = memo(function Landmarks({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  const { data } = useQuery({
    queryKey: ['landmarks'],
    queryFn: ({ signal }) => get<EventPage>('/v1/events', { type: Object.keys(TYPES).join(','), limit: 1_000 }, signal),
    meta: { follows: ['deployment', 'fleet'] },
  });
  return (
    <div className={styles.landmarks} aria-hidden="true">
      {data?.items.map(({ position, time, type, subject }) => {
        const atMs = Date.parse(time);
        const mark = TYPES[type];
        if (!mark || atMs < fromMs || atMs > toMs) return null;
        return (
          <span
            key={position}
            className={styles.landmark}
            data-tone={mark.tone}
            style={{ left: `${((atMs - fromMs) / (toMs - fromMs)) * 100}%` }}
            title={`${subject}: ${mark.word}, ${exactText(atMs)}`}
          />
        );
      })}
    </div>
  );
});
