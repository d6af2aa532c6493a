import { type ArithmeticLine, type ScalingConflict } from './bounds.js';

/** Writes down each step of a computation as it is made. */
export type Sheet = {
  readonly lines: readonly ArithmeticLine[];
  readonly conflicts: readonly ScalingConflict[];
  readonly line: <Result extends number | string>(line: ArithmeticLine & { readonly result: Result }) => Result;
  readonly conflict: (conflict: ScalingConflict) => void;
};

export function sheet(): Sheet {
  const lines: ArithmeticLine[] = [];
  const conflicts: ScalingConflict[] = [];
  return {
    lines,
    conflicts,
    line: (line) => {
      lines.push(line);
      return line.result;
    },
    conflict: (conflict) => void conflicts.push(conflict),
  };
}

/** Upwards to a whole number, forgiving what floats add to one: 3.0000000000004 workers are 3. */
export const wholeUp = (value: number): number => Math.ceil(Number(value.toPrecision(12)));

/** Downwards to three decimals. */
export const threeDown = (value: number): number => Math.floor(Number((value * 1_000).toPrecision(12))) / 1_000;
