import { type CostView, costView } from '@davit/contracts';
import type { WorldClient, WorldLedger } from './world-client.js';

/** What Davit says it spent, beside what the outside billed. Amounts in USD. */
export interface Books {
  readonly confirmed: number;
  readonly held: number;
  /** The outside's own ledger, which knows nothing of Davit. */
  readonly billed: number;
  /** Confirmed is not above what was billed, but for the time of one look a machine; billed is never above what was held. */
  readonly agree: boolean;
}

/** Digits beyond this are rounding: of a price per hour, and of an amount to a millionth. */
const ROUNDING = 2e-6;

/**
 * The end of a machine is noticed at the next look, so what is confirmed may go beyond it by the pause between two looks; that
 * is two seconds here, on a machine that does other things too.
 */
const NOTICED_WITHIN_HOURS = 15 / 3_600;

/** What is confirmed, held and billed of these machines, within those bounds. */
export function booksAgree(
  { confirmed, held }: Pick<Books, 'confirmed' | 'held'>,
  machines: WorldLedger['machines'],
): boolean {
  const billed = billedBy(machines);
  const unnoticed = machines.reduce((sum, machine) => sum + highestRate(machine) * NOTICED_WITHIN_HOURS, 0);
  return confirmed <= billed + unnoticed + ROUNDING && billed <= held + ROUNDING;
}

const highestRate = ({ segments }: WorldLedger['machines'][number]): number =>
  Math.max(0, ...segments.map(({ pricePerHour }) => pricePerHour));

export async function costOf(url: string, query: Readonly<Record<string, string>> = {}): Promise<CostView> {
  const response = await fetch(new URL(`/v1/cost?${new URLSearchParams(query).toString()}`, url));
  if (!response.ok) throw new Error(`/v1/cost answered ${response.status}: ${await response.text()}`);
  return costView.parse(await response.json());
}

/** USD that a report holds in all; what is priced in another currency is a defect here. */
export function dollarsOf({ total }: CostView): Pick<Books, 'confirmed' | 'held'> {
  const foreign = total.figures.find(({ currency }) => currency !== 'USD');
  if (foreign) throw new Error(`cost in ${foreign.currency}, which nobody charges here`);
  const sum = (amounts: readonly string[]): number => amounts.reduce((total_, amount) => total_ + Number(amount), 0);
  return {
    confirmed: sum(total.figures.map(({ confirmed }) => confirmed)),
    held: sum(total.figures.map(({ held, takenBack }) => String(Number(held) - Number(takenBack)))),
  };
}

export const billedBy = (machines: WorldLedger['machines'], nowMs = Date.now()): number =>
  machines
    .flatMap(({ segments }) => segments)
    .reduce((sum, { fromMs, toMs, pricePerHour }) => sum + (pricePerHour * ((toMs ?? nowMs) - fromMs)) / 3_600_000, 0);

/** Both sides, once nothing runs any more. */
export async function books(url: string, world: WorldClient): Promise<Books> {
  const [report, { machines }] = await Promise.all([costOf(url), world.ledger()]);
  const told = dollarsOf(report);
  return { ...told, billed: billedBy(machines), agree: booksAgree(told, machines) };
}
