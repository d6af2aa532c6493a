/**
 * Declares a deployment over NATS, waits for the answer, reads the deployment over HTTP, and follows events from that position on.
 * Needs the official client: npm install nats. Settings: NATS_URL, NATS_USER, NATS_PASSWORD, DAVIT_URL, DAVIT_API_KEY, NAME.
 */
import { AckPolicy, DeliverPolicy, connect } from 'nats';

type Answer =
  | { outcome: 'accepted'; intentId: string; position: number; revision: number; generation: number }
  | {
      outcome: 'rejected';
      code: string;
      detail: string;
      problems: { path: string; message: string; remedy: string }[];
    };

const { NATS_URL, NATS_USER, NATS_PASSWORD, DAVIT_URL, DAVIT_API_KEY, NAME = 'example' } = process.env;
const nats = await connect({
  servers: NATS_URL ?? 'nats://127.0.0.1:4222',
  ...(NATS_USER === undefined ? {} : { user: NATS_USER, pass: NATS_PASSWORD ?? '' }),
});

const intent = {
  // The same key and content give the same answer, however often it is sent.
  idempotencyKey: `example-${NAME}-1`,
  actor: 'example@clients',
  deployment: {
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: NAME },
    spec: {
      model: { id: 'Qwen/Qwen3-8B' },
      runtime: { engine: 'vllm' },
      compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
    },
  },
};
const reply = await nats.request('davit.intent.deployment.apply', JSON.stringify(intent), { timeout: 10_000 });
if (reply.headers?.get('Davit-Status') === 'problem') throw new Error(reply.string());
const answer = reply.json<Answer>();
if (answer.outcome === 'rejected') throw new Error(`${answer.code}: ${answer.detail}`);
console.log(`accepted revision ${answer.revision} at ${answer.position}`);

// What was just accepted is folded in a moment later; ask again until then.
const url = `${DAVIT_URL ?? 'http://127.0.0.1:7600'}/v1/deployments/default/${NAME}`;
const headers: Record<string, string> = DAVIT_API_KEY === undefined ? {} : { authorization: `Bearer ${DAVIT_API_KEY}` };
let read = await fetch(url, { headers });
for (const end = Date.now() + 10_000; read.status === 404 && Date.now() < end; read = await fetch(url, { headers })) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const { status } = (await read.json()) as { status: string | number };
console.log(`deployment is ${status}`);

// The sequence of a message is the position of its event, so any position is a place to begin.
const manager = await nats.jetstreamManager({ checkAPI: false });
const { name: consumer } = await manager.consumers.add('LOG', {
  name: `example-${process.pid}-${Date.now()}`,
  filter_subjects: ['davit.log.intent.>', 'davit.log.deployment.>'],
  deliver_policy: DeliverPolicy.StartSequence,
  opt_start_seq: answer.position,
  ack_policy: AckPolicy.None,
  inactive_threshold: 60_000_000_000,
});
const messages = await (await nats.jetstream().consumers.get('LOG', consumer)).consume();
for await (const message of messages) {
  const { position, type, subject } = message.json<{ position: number; type: string; subject: string }>();
  console.log(`${position} ${type} ${subject}`);
}
