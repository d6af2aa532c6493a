import type { HourlyPrice, Placement } from '@davit/contracts';
import { multiplyAmount } from '../money.js';

/** What one instance of a placement costs an hour, whether the price is for the instance or for each of its GPUs. */
export const instancePrice = ({ amount, unit }: HourlyPrice, { accelerator }: Placement): string =>
  unit === 'gpu-hour' ? multiplyAmount(amount, accelerator?.count ?? 1) : amount;
