/** An amount as a height on the screen; nothing is decided, added or told by it. */
export const chartValue = (amount: string): number => Number(amount);

/** How much of a ceiling is used, 0 to 1, as a width on the screen. */
export const shareOf = (amount: string, ceiling: string): number => {
  const whole = chartValue(ceiling);
  return whole === 0 ? 1 : Math.min(1, chartValue(amount) / whole);
};
