import { setTimeout as delay } from 'node:timers/promises';
import { followRoutes } from '@davit/subscriber';
import { connect } from 'nats';

/** Somebody who uses the system all the time, until told to stop. */
export interface Steady<Record> {
  readonly records: readonly Record[];
  readonly done: Promise<void>;
}

/** Asks the model through its route, as a gateway does that follows the routes. Records what became of each request. */
export function steadyRequests(natsUrl: string, alias: string, signal: AbortSignal): Steady<string> {
  const records: string[] = [];
  const run = async (): Promise<void> => {
    const connection = await connect({ servers: natsUrl, maxReconnectAttempts: -1 });
    let urls: readonly string[] = [];
    const following = (async () => {
      for await (const view of followRoutes(connection, { signal }))
        if (view.alias === alias) urls = view.targets.map(({ url }) => url);
    })();
    while (!signal.aborted) {
      const url = urls[records.length % urls.length];
      if (url !== undefined) records.push(await answered(url));
      await delay(50);
    }
    await following;
    await connection.close();
  };
  return { records, done: run() };
}

async function answered(url: string): Promise<string> {
  try {
    const response = await fetch(new URL('/v1/chat/completions', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'qwen3-8b', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 }),
      signal: AbortSignal.timeout(20_000),
    });
    await response.text();
    return `status ${response.status}`;
  } catch (error) {
    return error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error);
  }
}

/** Sets the budget of a tenant again and again, at one door and the other; says the same again until it is answered. Records the amounts. */
export function steadyIntents(fronts: readonly string[], tenant: string, signal: AbortSignal): Steady<string> {
  const records: string[] = [];
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const amount = `${records.length + 1}`;
      let attempt = 0;
      while (!(await accepted(fronts[(records.length + attempt++) % fronts.length] ?? '', tenant, amount)))
        await delay(50);
      records.push(amount);
      await delay(50);
    }
  };
  return { records, done: run() };
}

/** @throws Error for an answer that is neither acceptance nor the refusal of a door that is about to close */
async function accepted(front: string, tenant: string, maxHourly: string): Promise<boolean> {
  const response = await fetch(new URL('/v1/intents/tenant/set-budget', front), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `${tenant}-${maxHourly}` },
    body: JSON.stringify({ tenant, budget: { maxHourly } }),
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  if (response === undefined || response.status === 503) return false;
  const text = await response.text();
  if (!response.ok) throw new Error(`the door answered ${response.status}: ${text}`);
  return true;
}

/** Follows all events from the first on, at one door and, once it closes, at the other one from where it was. Records positions. */
export function steadyReader(fronts: readonly string[], signal: AbortSignal): Steady<number> {
  const records: number[] = [];
  const run = async (): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn++) {
      await readOn(fronts[turn % fronts.length] ?? '', records, signal).catch(() => undefined);
      await delay(20);
    }
  };
  return { records, done: run() };
}

async function readOn(front: string, records: number[], signal: AbortSignal): Promise<void> {
  const headers = { 'last-event-id': String(records.at(-1) ?? 0) };
  const answer = await fetch(new URL('/v1/events/stream', front), { headers, signal });
  if (!answer.ok) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const id = /^id: ?(\d+)$/m.exec(frame)?.[1];
      if (id !== undefined && /^data:/m.test(frame) && !/^event: davit\.stream\./m.test(frame))
        records.push(Number(id));
    }
  }
}
