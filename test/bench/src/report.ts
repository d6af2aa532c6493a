import { type Figure, budgetMet } from './bench.js';

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);

/** One line for people. */
export function lineOf(figure: Figure): string {
  const value = `${number(figure.value)} ${figure.unit}`.padStart(14);
  const ratio = (figure.ratio === undefined ? '' : `${figure.ratio.toFixed(2)} ×`).padStart(10);
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

/** @param ratio what the ratios of the figures below are multiples of */
export const heading = (title: string, ratio = '× insert'): string =>
  `\n${title.padEnd(54)}${'figure'.padStart(14)}${ratio.padStart(10)}  ${'budget'.padStart(11)}`;
