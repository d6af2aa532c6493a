/**
 * An amount as the number that Prometheus takes, whose samples are floats. For looking at: it is never added up, compared or
 * written back here; accounts are kept in decimals (law 14).
 */
export const chartValue = (amount: string): number => Number(amount);
