import type { HourlyPrice } from '@davit/contracts';
import { decimalText, parseDecimalJson } from '@davit/domain';
import type { SeenPhase } from '@davit/provider-kit';
import { z } from 'zod';
import type { WitnessedMachine } from './witness.js';

/** Of a body whose numbers are read as the text they were written in. */
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

/** The parts of a pod that matter here. The environment of a pod, which may hold secrets, is dropped unread. */
const pod = z.object({
  id: z.string().min(1).max(200),
  name: z.string(),
  status: z.string().min(1).max(40),
  cost: z.string().nullish(),
  dataCenterId: z.string().nullish(),
  runtime: z
    .object({
      ports: z.array(z.object({ public: wholeNumber.nullish(), ip: z.string().nullish() })).nullish(),
    })
    .nullish(),
});
type Pod = z.output<typeof pod>;

const page = z.object({
  pods: z.array(pod),
  pagination: z.object({ hasNextPage: z.boolean(), nextCursor: z.string().nullish() }).nullish(),
});

export interface PodPage {
  readonly machines: readonly WitnessedMachine[];
  /** Where the next page begins; null after the last one. */
  readonly nextCursor: string | null;
}

/** Reads one page of `GET /v2/pods`; the text says why it cannot be read. A page that may be a part is not read as the whole. */
export function readPods(body: string, limit: number, source: string, observedAt: string): PodPage | string {
  const parsed = page.safeParse(jsonOf(body));
  if (!parsed.success) return 'the list of pods cannot be read';
  const { pods, pagination } = parsed.data;
  if (!pagination && pods.length === limit) return 'the list of pods may go on, and does not say so';
  if (pagination?.hasNextPage === true && !pagination.nextCursor)
    return 'the list of pods goes on, and does not say where';
  const machines = pods
    .filter(({ status }) => status !== 'TERMINATED')
    .map((seen) => ({
      id: seen.id,
      name: seen.name,
      phase: PHASES[seen.status] ?? 'provisioning',
      price: priceOf(seen, source, observedAt),
      addresses: (seen.runtime?.ports ?? []).flatMap((port) =>
        port.ip && port.public ? [`${port.ip}:${port.public}`] : [],
      ),
      detail: `pod ${seen.id} ${seen.status} ${seen.dataCenterId ?? ''}`.trim(),
    }));
  return { machines, nextCursor: pagination?.hasNextPage === true ? (pagination.nextCursor ?? null) : null };
}

/** A status that is not known is that of something which exists. */
const PHASES: Readonly<Record<string, SeenPhase>> = { RUNNING: 'up', EXITED: 'stopped', ERROR: 'failed' };

/** Rate of the bill. A pod that has exited shows zero although its storage still costs, so zero says nothing; nor does a missing rate. */
function priceOf({ cost }: Pod, source: string, observedAt: string): HourlyPrice | null {
  const amount = decimalText(cost ?? '');
  if (amount === null || !/[1-9]/.test(amount)) return null;
  return { amount, currency: 'USD', unit: 'instance-hour', kind: 'billed', source, observedAt };
}

function jsonOf(text: string): unknown {
  try {
    return parseDecimalJson(text);
  } catch {
    return undefined;
  }
}
