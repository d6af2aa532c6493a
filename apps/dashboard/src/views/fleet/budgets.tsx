import type { BudgetView } from '@davit/contracts';
import { shareOf } from '../../format/chart-value.js';
import { moneyText } from '../../format/money.js';
import { ExplainLink, PageLink } from '../../parts/link.js';
import { Mark } from '../../parts/mark.js';
import { Meter } from '../../parts/meter.js';
import { Empty } from '../../parts/panel.js';
import { Ago } from '../../parts/time.js';
import type { Tone } from '../../words/states.js';
import styles from './fleet.module.css';

const TONES: Readonly<Record<BudgetView['state'], Tone>> = {
  within: 'good',
  near: 'waiting',
  unknown: 'unknown',
  'hourly-exceeded': 'bad',
  'total-exhausted': 'bad',
};

/** How spend stands against each ceiling. */
export function Budgets({ budgets }: { readonly budgets: readonly BudgetView[] }) {
  if (budgets.length === 0)
    return (
      <Empty title="No budget is set">
        A deployment sets its own with <code>spec.budget</code>.
      </Empty>
    );
  return (
    <ul className={styles.list} tabIndex={0} aria-label="Budgets">
      {budgets.map((budget) => (
        <Budget key={`${budget.of} ${budget.name}`} budget={budget} />
      ))}
    </ul>
  );
}

/** Of a deployment's own budget, or of its tenant's. */
function storyOf(of: BudgetView['of'], name: string): string {
  const [tenant = '', deployment = ''] = name.split('/');
  return of === 'tenant' ? `budgets/${tenant}` : `budgets/${tenant}?deployment=${deployment}`;
}

export function Budget({ budget }: { readonly budget: BudgetView }) {
  const { of, name, limits, state, heldHourly, heldTotal, exhaustedAt, why } = budget;
  const { currency, maxHourly, maxTotal } = limits;
  const tone = TONES[state];
  return (
    <li className={styles.item}>
      <span className={styles.itemHead}>
        {of === 'deployment' ? <PageLink to={`/deployments/${name}`}>{name}</PageLink> : <span>tenant {name}</span>}
        <Mark tone={tone}>
          <ExplainLink about={storyOf(of, name)}>{state.replace('-', ' ')}</ExplainLink>
        </Mark>
      </span>
      {maxHourly !== undefined && (
        <Meter
          label={`${name}, an hour`}
          share={shareOf(heldHourly, maxHourly)}
          tone={tone}
          text={`${moneyText(heldHourly, currency)} of ${moneyText(maxHourly, currency)} an hour`}
        />
      )}
      {maxTotal !== undefined && (
        <Meter
          label={`${name}, in all`}
          share={shareOf(heldTotal, maxTotal)}
          tone={tone}
          text={`${moneyText(heldTotal, currency)} of ${moneyText(maxTotal, currency)} in all`}
        />
      )}
      {exhaustedAt !== null && (
        <span className={styles.why}>
          used up <Ago at={exhaustedAt} /> at this rate
        </span>
      )}
      {state !== 'within' && <span className={styles.why}>{why}</span>}
    </li>
  );
}
