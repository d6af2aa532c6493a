import type { OverBudget } from '@davit/contracts';
import type { ReplicaState } from '../lifecycle/state.js';
import { addAmounts, compareAmounts, subtractAmounts } from '../money.js';
import { type BudgetAccount, rateOf } from './account.js';
import { nameOf, told } from './describe.js';
import type { BudgetVerdict } from './verdict.js';

/** A replica that a budget ends. */
export type BudgetVictim = {
  readonly replica: ReplicaState;
  readonly reason: string;
  readonly budget: OverBudget;
};

type Machine = { readonly replica: ReplicaState; readonly rate: string | null };

/**
 * Which machines a budget with `onExceed: drain` ends, and never more than needed: what is on its way out is counted as gone
 * already, and no machine goes without which the rest would still be over.
 *
 * What came last goes first. Candidates of a rollout go before anything of the revision that serves, even where that was
 * healed later: a rollout that cannot be paid for stops, and what it would replace goes on serving. A price that nobody
 * knows ends nothing (law 4): only what is known to be over is acted on.
 * @param leaving ids of replicas that were told to go in this very decision
 */
export function budgetVictims(
  { account, balance, state }: BudgetVerdict,
  leaving: ReadonlySet<string> = new Set(),
): readonly BudgetVictim[] {
  if (account.limits.onExceed !== 'drain') return [];
  const staying = stayingOf(account, leaving);
  const { maxHourly, maxTotal, currency } = account.limits;
  if (state === 'total-exhausted' && maxTotal !== undefined) {
    const held = balance.total;
    const reason = `the budget of ${nameOf(account)} is used up: at most ${told(held)} of ${maxTotal} ${currency} are spent`;
    return staying.map(({ replica, rate }) => ({
      replica,
      reason,
      budget: { of: account.of, name: account.name, ceiling: 'total', limit: maxTotal, held, currency, rate },
    }));
  }
  if (maxHourly === undefined) return [];
  const held = sumOf(staying);
  const reason = `over the budget of ${nameOf(account)}: ${held} of ${maxHourly} ${currency} an hour; what came last goes first`;
  return tooMany(staying, maxHourly).map(({ replica, rate }) => ({
    replica,
    reason,
    budget: { of: account.of, name: account.name, ceiling: 'hourly', limit: maxHourly, held, currency, rate },
  }));
}

/** Machines that bill, or are about to, and that nobody has told to go; last come first. */
function stayingOf(account: BudgetAccount, leaving: ReadonlySet<string>): readonly Machine[] {
  return account.replicas
    .filter(({ id, status }) => STAYS.has(status) && !leaving.has(id))
    .flatMap((replica): Machine[] => {
      const rate = rateOf(replica, account.limits.currency);
      return rate ? [{ replica, rate: rate.amount }] : [];
    })
    .sort((a, b) => byAge(account, a.replica, b.replica));
}

/** What is quarantined bills like the others, and serves nobody. */
const STAYS: ReadonlySet<string> = new Set(['launching', 'ready', 'quarantined']);

function byAge({ active }: BudgetAccount, a: ReplicaState, b: ReplicaState): number {
  const isCandidate = ({ deployment, revision }: ReplicaState): boolean => {
    const serving = active.get(deployment);
    return typeof serving === 'number' && serving !== revision;
  };
  return (
    Number(isCandidate(b)) - Number(isCandidate(a)) ||
    compare(startOf(b), startOf(a)) ||
    b.ordinal - a.ordinal ||
    compare(b.id, a.id)
  );
}

/** When it began to bill; what is only about to comes last of all. */
const startOf = ({ meter, launch, since }: ReplicaState): string => meter?.since ?? `~${launch?.requestedAt ?? since}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sumOf = (machines: readonly Machine[]): string =>
  machines.flatMap(({ rate }) => rate ?? []).reduce(addAmounts, '0');

/** Takes from the front until the rest fits, then gives back, from the oldest on, whatever the rest has room for. */
function tooMany(staying: readonly Machine[], maxHourly: string): readonly Machine[] {
  const fits = (amount: string): boolean => compareAmounts(amount, maxHourly) <= 0;
  const taken = new Set<Machine>();
  let rest = sumOf(staying);
  for (const machine of staying) {
    if (fits(rest)) break;
    if (machine.rate === null) continue;
    taken.add(machine);
    rest = subtractAmounts(rest, machine.rate);
  }
  for (const machine of [...taken].reverse()) {
    const withIt = addAmounts(rest, machine.rate ?? '0');
    if (!fits(withIt)) continue;
    taken.delete(machine);
    rest = withIt;
  }
  return staying.filter((machine) => taken.has(machine));
}
