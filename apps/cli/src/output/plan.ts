import { type PlanCandidate, type PlanView, counted } from '@davit/contracts';
import { duration } from './duration.js';
import { amountText } from './prices.js';
import { table } from './table.js';
import { placementText } from './views.js';
import { proseWidth, wrap } from './wrap.js';

const CHANGES: Readonly<Record<PlanView['change'], string>> = {
  new: 'new deployment',
  'new-revision': 'new revision',
  scale: 'same revision, other size',
  settings: 'same revision, other settings',
  none: 'nothing to change',
};

/** What applying a specification would do and cost, and how sure each of it is. */
export function planText(plan: PlanView): string {
  const { from, to } = plan.replicas;
  const replicas = from === to ? counted(to, 'replica') : `${from} → ${to} replicas`;
  return [
    `${plan.deployment.replace(/^default\//, '')}  ${CHANGES[plan.change]}, revision ${plan.revision}, ${replicas}`,
    ...plan.differences.map(
      ({ path, from: before, to: after }) => `  ~ ${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    ),
    '',
    ...candidatesText(plan.rungs),
    ...placedText(plan),
    ...spendText(plan),
    ...plan.budgets.flatMap(({ of, name, verdict, detail }) => told('budget', `${of} ${name} ${verdict}: ${detail}`)),
    ...(plan.rollout === null ? [] : told('rollout', `${plan.rollout.strategy}: ${plan.rollout.outlook}`)),
    ...plan.notes.flatMap((note) => told('note', note)),
  ].join('\n');
}

const MARKS: Readonly<Record<PlanCandidate['verdict'], string>> = { chosen: '✓', next: '·', rejected: '✗' };

function candidatesText(rungs: readonly PlanCandidate[]): string[] {
  if (rungs.length === 0) return [];
  const header = ['  placement', 'verdict', 'stock', 'said by', 'price an hour'];
  const rows = rungs.map((rung) => [
    `${MARKS[rung.verdict]} ${placementText(rung.placement)}`,
    rung.verdict,
    rung.signal.state,
    rung.ageMs === null ? 'nobody' : `${rung.signal.source}, ${rung.signal.scope}, ${duration(rung.ageMs)} ago`,
    amountCell(rung),
  ]);
  const lines = table(header, rows).split('\n');
  const reasons = rungs.map((candidate) => {
    const { reason, confidence, scores } = candidate;
    // Of a ladder the place is the only score, and the order of the lines says it.
    const scored = Object.entries(scores).flatMap(([name, words]) => (name === 'rung' ? [] : [`${name} ${words}`]));
    const why = `${reason}; confidence ${confidence}${scored.length === 0 ? '' : ` (${scored.join(', ')})`}`;
    return [...priceLines(candidate), ...wrap(why, proseWidth() - 4, 2)];
  });
  return [
    lines[0] ?? '',
    ...rungs.flatMap((_rung, index) => [
      lines[index + 1] ?? '',
      ...(reasons[index] ?? []).map((reason) => `    ${reason}`),
    ]),
    '',
  ];
}

function amountCell({ price: { price }, placement }: PlanCandidate): string {
  const ceiling = placement.maxHourlyPrice === null ? '' : `, at most ${amountText(placement.maxHourlyPrice)}`;
  return `${price ? `${amountText(price.amount)} ${price.currency}` : 'not known'}${ceiling}`;
}

/** What kind of price it is, and who said it when: a line of its own. */
function priceLines({ price: { status, price, ageMs } }: PlanCandidate): string[] {
  if (!price) return [];
  const { kind, market, storage, source } = price;
  const words = [
    `${kind} by ${source}${ageMs === null ? '' : ` ${duration(ageMs)} ago`}`,
    market,
    storage === undefined ? undefined : `storage ${storage}`,
    status === 'stale' ? 'stale' : undefined,
  ];
  return wrap(`price ${words.filter((word) => word !== undefined).join(', ')}`, proseWidth() - 4, 2);
}

function placedText({ placed, rungs }: PlanView): string[] {
  if (placed.length === 0) return [];
  const parts = placed.map(({ rung, replicas }) => {
    const at = rungs.find((candidate) => candidate.rung === rung);
    return at ? `${replicas} × ${placementText(at.placement)}` : `${replicas} would wait`;
  });
  return told('placed', parts.join(', '));
}

function spendText({ spend, rungs }: PlanView): string[] {
  const { currency, chosenHourly, worstCaseHourly, worstCaseDaily, worstCaseRung, ceilingHourly, ceilingTotal } = spend;
  const money = (amount: string | null, each = '/h'): string =>
    amount === null ? 'not known' : `${amountText(amount)} ${currency}${each}`;
  const by = rungs.find(({ rung }) => rung === worstCaseRung);
  const worst =
    worstCaseHourly === null ? 'not known' : `${money(worstCaseHourly)}, ${money(worstCaseDaily, ' a day')}`;
  const lasts = spend.hoursUntilTotal === null ? '' : `, used up after ${spend.hoursUntilTotal} hours of that`;
  return [
    ...told('spend', `${money(chosenHourly)} where replicas would be placed now`),
    ...told('', `worst case ${worst}${by ? `, all on ${placementText(by.placement)}` : ''}`),
    ...(ceilingHourly === null ? [] : told('', `ceiling ${money(ceilingHourly)}`)),
    ...(ceilingTotal === null ? [] : told('', `ceiling ${money(ceilingTotal, ' in all')}${lasts}`)),
    ...(spend.duringRollout === null
      ? []
      : told(
          '',
          `at most ${money(spend.duringRollout.hourly)} on ${counted(spend.duringRollout.machines, 'machine')} while revisions change`,
        )),
    ...(spend.failedStarts === null || Number(spend.failedStarts) === 0
      ? []
      : told('', `at most ${money(spend.failedStarts, '')} for starts that fail, before they are given up`)),
  ];
}

/** `  spend   …`, broken at 100 columns. */
const told = (what: string, text: string): string[] =>
  wrap(text, proseWidth() - 10, 0).map((line, index) => `  ${(index === 0 ? what : '').padEnd(7)} ${line}`);
