import { z } from 'zod';

const shown = z.object({
  position: z.int(),
  time: z.string(),
  type: z.string(),
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
});

const TELLING = [
  'outcome',
  'reason',
  'phase',
  'class',
  'status',
  'detail',
  'message',
  'url',
  'snapshot',
  'revision',
  'attempt',
  'retryAt',
];

/** One event on one line: position, time, type, subject and what tells most about it. */
export function eventLine(event: unknown): string {
  const parsed = shown.safeParse(event);
  if (!parsed.success) return JSON.stringify(event);
  const { position, time, type, subject, data } = parsed.data;
  const facts = TELLING.flatMap((name) => {
    const value = data[name];
    return typeof value === 'string' || typeof value === 'number' ? (value === '' ? [] : [`${name}=${value}`]) : [];
  });
  return `${String(position).padStart(7)}  ${time.slice(11, 23)}  ${type.slice('davit.'.length).padEnd(30)}  ${subject}  ${facts.join(' ')}`.trimEnd();
}
