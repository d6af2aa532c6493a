import type { RecordedEvent } from '@davit/contracts';

/** Fields that say the most, in the order in which they are told. */
const TELLING = [
  'reason',
  'detail',
  'status',
  'state',
  'outcome',
  'message',
  'verdict',
  'revision',
  'phase',
  'snapshot',
  'url',
];
const MOST = 180;

/** One line of what an event says beside its type and subject. */
export function summaryOf({ data }: RecordedEvent): string {
  const fields = data as Readonly<Record<string, unknown>>;
  const told = TELLING.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [];
  });
  return told.join(' · ').slice(0, MOST);
}
