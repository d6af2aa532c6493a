import { type Tone, REPLICA_STATES, toneOfReplica } from '../words/states.js';
import styles from './state-bar.module.css';

export interface StateCount {
  readonly state: string;
  readonly tone: Tone;
  readonly count: number;
}

/** How many are in each state, in the order in which a fleet is told. */
export function countStates(states: readonly string[]): readonly StateCount[] {
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts]
    .map(([state, count]) => ({ state, tone: toneOfReplica(state), count }))
    .sort((a, b) => REPLICA_STATES.indexOf(a.state) - REPLICA_STATES.indexOf(b.state));
}

/** Shares of states as a bar; its text says the same. */
export function StateBar({ states, height = 8 }: { readonly states: readonly string[]; readonly height?: number }) {
  const counts = countStates(states);
  const text = counts.map(({ state, count }) => `${count} ${state}`).join(', ');
  return (
    <div
      className={styles.bar}
      style={{ height }}
      role="img"
      aria-label={text === '' ? 'no replicas' : text}
      title={text}
    >
      {counts.map(({ state, tone, count }) => (
        <span key={state} className={styles.part} data-tone={tone} style={{ flexGrow: count }} />
      ))}
    </div>
  );
}
