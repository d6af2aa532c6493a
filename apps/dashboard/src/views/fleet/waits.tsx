import type { ReplicaView } from '@davit/contracts';
import { useMemo } from 'react';
import { ExplainLink, PageLink } from '../../parts/link.js';
import { Empty } from '../../parts/panel.js';
import { Ago, Lasting } from '../../parts/time.js';
import styles from './fleet.module.css';

const SHOWN = 50;

/** What waits, why, since when, and until when at most. */
export function Waits({ replicas }: { readonly replicas: readonly ReplicaView[] }) {
  const waiting = useMemo(
    () =>
      replicas
        .filter(({ wait, state }) => wait !== null || state === 'waiting')
        .toSorted((a, b) => ((a.wait?.since ?? a.since) < (b.wait?.since ?? b.since) ? -1 : 1)),
    [replicas],
  );
  if (waiting.length === 0) return <Empty title="Nothing waits" />;
  return (
    <>
      <ul className={styles.list} tabIndex={0} aria-label="Waiting replicas">
        {waiting.slice(0, SHOWN).map(({ id, wait, why, since }) => (
          <li key={id} className={styles.item}>
            <span className={styles.itemHead}>
              <ExplainLink about={`waits/${id}`}>{id}</ExplainLink>
              <Lasting since={wait?.since ?? since} />
            </span>
            <span className={styles.why}>{why === '' ? wait?.reason : why}</span>
            {wait !== null && (
              <span className={styles.why}>
                {wait.deadline === null ? (
                  'until a person acts'
                ) : (
                  <>
                    at the latest <Ago at={wait.deadline} />
                  </>
                )}
                : {wait.next}
              </span>
            )}
          </li>
        ))}
      </ul>
      {waiting.length > SHOWN && (
        <div className={styles.item}>
          <PageLink to="/replicas?state=waiting">All {waiting.length} that wait</PageLink>
        </div>
      )}
    </>
  );
}
