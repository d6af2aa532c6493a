import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type RecordedEvent, parseRecordedEvent } from '@davit/contracts';
import { percentile } from './measure.js';

/**
 * From an accepted intent to a route, through seven processes, with an outside that answers at once: adopted endpoints need no
 * provider, and the model server is this process. Nine appends by five services lie in between.
 */
const { values } = parseArgs({ options: { deployments: { type: 'string', default: '40' } } });
const frontDoor = process.env['DAVIT_URL'];
if (frontDoor === undefined) throw new Error('DAVIT_URL is not set; start this with: npm run bench:route');

const MODEL = 'bench-model';
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  const completion = { choices: [{ message: { role: 'assistant', content: 'ok' }, text: 'ok' }] };
  response.end(
    JSON.stringify(
      request.url === '/v1/models' ? { object: 'list', data: [{ id: MODEL, object: 'model' }] } : completion,
    ),
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const tookMs: number[] = [];
for (let index = 0; index < Number(values.deployments); index++) tookMs.push(await oneDeployment(`bench-${index}`));
server.close();

const sorted = tookMs.slice(2).toSorted((a, b) => a - b);
const figure = (name: string, value: number, budgetMs: number): string =>
  `  ${name.padEnd(52)}${value.toFixed(0).padStart(8)} ms   ≤ ${budgetMs} ms ${value <= budgetMs ? 'met' : 'MISSED'}`;
process.stdout.write(
  [
    `Intent accepted → route registered, ${sorted.length} deployments one after another`,
    figure('p50', percentile(sorted, 0.5), 100),
    figure('p99', percentile(sorted, 0.99), 500),
    '',
  ].join('\n'),
);

async function oneDeployment(name: string): Promise<number> {
  const deployment = {
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      model: { id: MODEL, servedName: MODEL },
      runtime: { engine: 'openai' },
      compute: { mode: 'direct', endpoints: [endpoint] },
    },
  };
  const answer = await fetch(new URL('/v1/intents/deployment/apply', frontDoor), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ deployment }),
  });
  const { position } = (await answer.json()) as { position: number };
  for (;;) {
    const events = await eventsAfter(position - 1);
    const accepted = events.find(({ type }) => type === 'davit.intent.accepted');
    const registered = events.find(
      (event) => event.type === 'davit.route.registered' && event.data.target.deployment === `default/${name}`,
    );
    if (accepted && registered) return Date.parse(registered.time) - Date.parse(accepted.time);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function eventsAfter(position: number): Promise<readonly RecordedEvent[]> {
  const response = await fetch(new URL(`/v1/events?after=${position}&limit=200`, frontDoor));
  const { items } = (await response.json()) as { items: readonly unknown[] };
  return items.map((item) => parseRecordedEvent(item));
}
