import type { PlanView } from '@davit/contracts';
import { addAmounts } from '@davit/domain';
import { CommandError, type ExitCode, exitCodes } from '../exit-codes.js';
import { readManifest } from '../manifest.js';
import { planText } from '../output/plan.js';
import { amountText } from '../output/prices.js';
import type { Session } from '../session.js';

interface Planned {
  readonly file: string;
  readonly view: PlanView;
}

/**
 * Shows what applying would do and cost, file by file. It changes nothing and records nothing.
 * @throws CommandError when a file is not accepted, after all others were told; with the code of a refusal when what a plan is
 *   certain to spend is above a budget
 */
export async function plan(session: Session, options: { readonly file: readonly string[] }): Promise<void> {
  const planned: Planned[] = [];
  const failed: CommandError[] = [];
  for (const file of options.file) {
    try {
      const view = await session.client.plan(readManifest(file));
      session.print(view, () => `${planned.length + failed.length === 0 ? '' : '\n'}${planText(view)}`);
      planned.push({ file, view });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failed.push(options.file.length === 1 ? error : told(session, file, error));
    }
  }
  if (!session.json && planned.length > 0) session.out.write(`${closing(planned)}\n`);
  const [worst] = failed.sort((a, b) => gravity(a.exitCode) - gravity(b.exitCode));
  if (worst) throw worst;
  const above = planned.flatMap(({ file, view }) => aboveBudget(file, view));
  if (above.length > 0) throw new CommandError(exitCodes.refused, above.join('\n'), { aboveBudget: above });
}

/** What is wrong with one file of several is told where it stands, and the others are planned all the same. */
function told(session: Session, file: string, error: CommandError): CommandError {
  if (!session.json) session.err.write(`${file}:\n${error.message}\n`);
  return new CommandError(error.exitCode, `${file} cannot be planned; see above`, { file, ...error.details });
}

const GRAVEST: readonly ExitCode[] = [exitCodes.failure, exitCodes.badInput, exitCodes.refused];
const gravity = (code: ExitCode): number => GRAVEST.indexOf(code);

const aboveBudget = (file: string, { deployment, budgets }: PlanView): string[] =>
  budgets.flatMap(({ of, name, verdict, detail }) =>
    verdict === 'exceeds' ? [`error  ${file}: ${deployment} is above the budget of ${of} ${name}: ${detail}.`] : [],
  );

function closing(planned: readonly Planned[]): string {
  const files = planned.map(({ file }) => `-f ${file}`);
  const apply =
    files.length === 1 ? `Apply with: davit apply ${files.join(' ')}` : 'Apply each with: davit apply -f FILE';
  return [...together(planned), '', `No side effects. ${apply}`].join('\n');
}

/** What several plans come to together, for each currency; a sum with an unknown part is unknown. */
function together(planned: readonly Planned[]): string[] {
  if (planned.length < 2) return [];
  const spends = planned.map(({ view }) => view.spend);
  const currencies = [...new Set(spends.map(({ currency }) => currency))].sort();
  return [
    '',
    ...currencies.map((currency) => {
      const these = spends.filter((spend) => spend.currency === currency);
      const [now, worst] = (['chosenHourly', 'worstCaseHourly'] as const).map((which) =>
        sumOf(these.map((spend) => spend[which])),
      );
      return `together  ${now ?? ''} ${currency}/h now, worst case ${worst ?? ''} ${currency}/h`;
    }),
  ];
}

function sumOf(amounts: readonly (string | null)[]): string {
  const known = amounts.flatMap((amount) => amount ?? []).reduce(addAmounts, '0');
  const unknown = amounts.filter((amount) => amount === null).length;
  return unknown === 0 ? amountText(known) : `${amountText(known)} and ${unknown} unknown`;
}
