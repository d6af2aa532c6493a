import type { RecordedEvent } from '@davit/contracts';
import { moneyText } from '../../format/money.js';
import { machineAmount, placementText } from '../../format/placement.js';

/** Fields that say the most, in the order in which they are told. */
const TELLING = [
  'verb',
  'condition',
  'status',
  'outcome',
  'verdict',
  'alarm',
  'reason',
  'detail',
  'message',
  'state',
  'phase',
  'revision',
  'snapshot',
  'ramp',
  'attempt',
  'by',
  'url',
  'running',
  'waiting',
];
const MOST = 180;

/** One line of what an event says beside its type and subject: what nobody said is left out. */
export function summaryOf({ data }: RecordedEvent): string {
  const fields = data as Readonly<Record<string, unknown>>;
  const told = TELLING.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [];
  });
  return [...machineIn(data), ...told].join(' · ').slice(0, MOST);
}

/** Where, in what stock, and at what price. */
function machineIn(data: RecordedEvent['data']): readonly string[] {
  const placement = ('placement' in data ? data.placement : null) ?? null;
  const price = 'price' in data ? data.price : null;
  return [
    ...(placement ? [placementText(placement)] : []),
    ...('signal' in data ? [data.signal.state] : []),
    ...(price ? [`${moneyText(machineAmount(price, placement), price.currency)}/h ${price.kind}`] : []),
  ];
}
