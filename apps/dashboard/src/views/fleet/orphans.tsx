import type { OrphanView } from '@davit/contracts';
import { hourlyText } from '../../format/money.js';
import { ExplainLink } from '../../parts/link.js';
import { Mark } from '../../parts/mark.js';
import { Empty } from '../../parts/panel.js';
import { Ago, Lasting } from '../../parts/time.js';
import styles from './fleet.module.css';

/** What runs at a provider under our name, is paid for, and belongs to no replica. */
export function Orphans({ orphans }: { readonly orphans: readonly OrphanView[] }) {
  if (orphans.length === 0) return <Empty title="Nothing runs without an owner" />;
  return (
    <ul className={styles.list} tabIndex={0} aria-label="Orphans">
      {orphans.map((orphan) => (
        <Orphan key={orphan.key} orphan={orphan} />
      ))}
    </ul>
  );
}

function Orphan({ orphan }: { readonly orphan: OrphanView }) {
  const { key, externalKey, adapter, providerId, price, replica, state, policy, since, why } = orphan;
  const approved = orphan.approvedAt !== null;
  return (
    <li className={styles.item}>
      <span className={styles.itemHead}>
        <ExplainLink about={`orphans/${encodeURIComponent(key)}`}>{externalKey}</ExplainLink>
        <Lasting since={since} />
      </span>
      <span className={styles.itemHead}>
        <Mark tone={state === 'reaping' ? 'ending' : 'bad'}>
          {state === 'quarantined' && approved ? 'approved' : state}
        </Mark>
        <span>{price === null ? 'price unknown' : `${hourlyText(price)}/h`}</span>
      </span>
      <span className={styles.why}>
        at {providerId === null ? adapter : `${adapter} as ${providerId}`}
        {replica !== null && `, rented for ${replica}`}
      </span>
      {state === 'quarantined' && (
        <span className={styles.why}>
          policy {policy}; end of quarantine: <Ago at={orphan.quarantinedUntil} />
        </span>
      )}
      <span className={styles.why}>{why}</span>
    </li>
  );
}
