import type { HourlyPrice, Placement } from '@davit/contracts';
import { multiplyAmount } from '@davit/domain/money';

type Machine = Pick<Placement, 'cloud' | 'region' | 'accelerator' | 'spot'>;

/** `runpod L40S:2 EU-RO-1 spot` */
export function placementText({ cloud, region, accelerator, spot }: Machine): string {
  const card =
    accelerator === null ? 'CPU' : `${accelerator.name}${accelerator.count > 1 ? `:${accelerator.count}` : ''}`;
  return [cloud, card, region, spot ? 'spot' : null].filter((part) => part !== null).join(' ');
}

/** What the whole machine costs an hour, decimal. */
export const machineAmount = ({ amount, unit }: HourlyPrice, placement: Machine | null): string =>
  unit === 'gpu-hour' ? multiplyAmount(amount, placement?.accelerator?.count ?? 1) : amount;
