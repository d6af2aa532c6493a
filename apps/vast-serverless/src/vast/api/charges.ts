import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';
import { maybeIdText, maybeNumberText, maybeSignedAmount, maybeText } from './fields.js';

const chargeRow = z.object({
  /** Seconds since 1970. */
  start: maybeNumberText,
  end: maybeNumberText,
  type: maybeText,
  source: maybeText,
  /** USD; null when it cannot be read, which is not nothing. */
  amount: maybeSignedAmount,
  metadata: z
    .object({ template_id: maybeIdText, endpoint_id: maybeIdText, workergroup_id: maybeIdText })
    .nullish()
    .catch(null),
});
export type ChargeRow = z.infer<typeof chargeRow>;
const chargePage = z.object({
  success: z.literal(true),
  results: z.array(chargeRow),
  next_token: z.string().nullish(),
});

const MAX_PAGES = 100;

/** What was billed. It lags behind; the rate of the moment is in the prices of the workers. */
export class ChargesApi {
  constructor(private readonly transport: Transport) {}

  /** Serverless charges between two instants, in milliseconds since 1970; the service wants both. */
  async serverless(fromMs: number, toMs: number): Promise<Reply<readonly ChargeRow[]>> {
    const filters = {
      day: { gte: Math.floor(fromMs / 1_000), lte: Math.ceil(toMs / 1_000) },
      type: { in: ['serverless'] },
    };
    const query = `?select_filters=${encodeURIComponent(JSON.stringify(filters))}&format=table&limit=500`;
    const found: ChargeRow[] = [];
    let after = '';
    for (let page = 0; page < MAX_PAGES; page++) {
      const path = `/api/v0/charges/${query}${after}`;
      const reply = await this.transport.call({ route: 'GET charges', path, schema: chargePage, decimals: true });
      if (reply.kind !== 'confirmed') return reply;
      found.push(...reply.value.results);
      const token = reply.value.next_token;
      if (token === null || token === undefined || token === '') return { kind: 'confirmed', value: found };
      after = `&after_token=${encodeURIComponent(token)}`;
    }
    return { kind: 'unknown', detail: `the list of charges has more than ${MAX_PAGES} pages` };
  }
}
