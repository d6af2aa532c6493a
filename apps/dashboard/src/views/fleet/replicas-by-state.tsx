import type { ReplicaView } from '@davit/contracts';
import { useMemo } from 'react';
import { PageLink } from '../../parts/link.js';
import { Mark } from '../../parts/mark.js';
import { StateBar, countStates } from '../../parts/state-bar.js';
import { Empty } from '../../parts/panel.js';
import styles from './fleet.module.css';

/** Shares of states, and how many are in each; a state leads to its replicas. */
export function ReplicasByState({ replicas }: { readonly replicas: readonly ReplicaView[] }) {
  const states = useMemo(() => replicas.map(({ state }) => state), [replicas]);
  const counts = useMemo(() => countStates(states), [states]);
  if (counts.length === 0) return <Empty title="No replica is asked for" />;
  return (
    <div className={styles.states}>
      <StateBar states={states} height={14} />
      <ul className={styles.legend}>
        {counts.map(({ state, tone, count }) => (
          <li key={state}>
            <Mark tone={tone}>
              <PageLink to={`/replicas?state=${state}`}>{state}</PageLink> <span className={styles.count}>{count}</span>
            </Mark>
          </li>
        ))}
      </ul>
    </div>
  );
}
