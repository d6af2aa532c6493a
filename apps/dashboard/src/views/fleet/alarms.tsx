import type { AlarmView } from '@davit/contracts';
import { ExplainLink } from '../../parts/link.js';
import { Empty } from '../../parts/panel.js';
import { Mark } from '../../parts/mark.js';
import { Lasting } from '../../parts/time.js';
import styles from './fleet.module.css';

export function Alarms({ alarms }: { readonly alarms: readonly AlarmView[] }) {
  if (alarms.length === 0) return <Empty title="No alarm is up" />;
  return (
    <ul className={styles.list} tabIndex={0} aria-label="Alarms">
      {alarms.map(({ alarm, about, severity, detail, since }) => (
        <li key={`${alarm} ${about}`} className={styles.item}>
          <span className={styles.itemHead}>
            <Mark tone={severity === 'critical' ? 'bad' : 'waiting'}>
              {severity} · {alarm}
            </Mark>
            <Lasting since={since} />
          </span>
          <ExplainLink about={`alarms?${new URLSearchParams({ alarm, about }).toString()}`}>{about}</ExplainLink>
          <span className={styles.why}>{detail}</span>
        </li>
      ))}
    </ul>
  );
}
