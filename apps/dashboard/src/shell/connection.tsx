import { Sign } from '../parts/mark.js';
import { durationText } from '../format/time.js';
import { useFeedState } from '../live/live.js';
import { useSyncExternalStore } from 'react';
import styles from './shell.module.css';

/** Whether the page follows the log, how far it is, and when it is not connected, how old what it shows is. */
export function Connection() {
  const connection = useFeedState((state) => state.connection);
  const position = useFeedState((state) => state.position);
  const rate = useFeedState((state) => state.rate);
  if (connection === 'live') {
    return (
      <span className={styles.connection} title="Position of the log that was heard last, and events a second">
        <Sign tone="good" />
        <span>
          Live · position {position}
          {rate > 0 && ` · ${rate}/s`}
        </span>
      </span>
    );
  }
  return (
    <span className={styles.connection} data-lost={connection === 'lost' || undefined} role="status">
      <Sign tone={connection === 'lost' ? 'bad' : 'progress'} />
      {connection === 'connecting' ? 'Connecting …' : <Lost position={position} />}
    </span>
  );
}

function Lost({ position }: { readonly position: number }) {
  const heardAtMs = useFeedState((state) => state.heardAtMs);
  const age = useSyncExternalStore(everySecond, () => Math.floor((Date.now() - (heardAtMs ?? Date.now())) / 1_000));
  return (
    <span>
      Disconnected{' '}
      <span className={styles.detail}>
        · as of position {position}
        {age > 0 && `, ${durationText(age * 1_000)} old`} · trying again
      </span>
    </span>
  );
}

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1_000);
  return () => clearInterval(timer);
}
