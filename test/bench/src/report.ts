import { type Figure, budgetMet } from './bench.js';

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);

/** One line for people. */
export function lineOf(figure: Figure): string {
  const value = `${number(figure.value)} ${figure.unit}`.padStart(14);
  const ratio = ratioOf(figure).padStart(10);
  const met = budgetMet(figure);
  const { budget } = figure;
  const promise =
    budget === undefined
      ? ''
      : 'atLeast' in budget
        ? `≥ ${number(budget.atLeast)} ${figure.unit}`
        : `≤ ${number(budget.atMost)} ${figure.unit}`;
  return `  ${figure.what.padEnd(52)}${value}${ratio}  ${promise.padStart(11)} ${met === undefined ? '' : met ? 'met' : 'MISSED'}`;
}

/** Of what takes no time at all nothing is a multiple. */
const ratioOf = ({ ratio }: Figure): string =>
  ratio === undefined || !Number.isFinite(ratio) ? '' : `${ratio.toFixed(2)} ×`;

/** @param ratio what the ratios of the figures below are multiples of */
export const heading = (title: string, ratio = '× insert'): string =>
  `\n${title.padEnd(54)}${'figure'.padStart(14)}${ratio.padStart(10)}  ${'budget'.padStart(11)}`;
