import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type NewEvent, type RecordedEvent, stream } from '@davit/contracts';
import { DELIVERY_RULES, type WebhookState, redeliver, resumeWebhook } from '@davit/domain';
import { type HttpOutcome, silentLogger } from '@davit/ports';
import { KEY, Stage, declared, requested } from '@davit/stage';
import { webhookController } from './deliveries.js';

const ID = 'abcdefghijkl';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** A day would be many wake-ups. */
const RULES = { ...DELIVERY_RULES, giveUpAfterMs: 20 * 60_000 };
const registered = (filter: object = {}, tenants: 'all' | string[] = 'all'): NewEvent => ({
  type: 'davit.webhook.registered',
  data: {
    ...{ webhookId: ID, tenants, name: 'billing', url: 'https://hooks.example.org/', filter },
    ...{ secret: { env: 'DAVIT_WEBHOOK_SECRET_BILLING' }, after: 0 },
  },
});
const replicaRequested = (ordinal: number) => [stream.replica(`${KEY}-1-${ordinal}-1`), requested(ordinal)] as const;

let stage: Stage;
/** Positions that the receiver took, in the order in which it did. */
let taken: number[];
let sent: number;
let answer: (event: RecordedEvent) => HttpOutcome;
const status = (code: number): HttpOutcome => ({ kind: 'response', status: code, headers: {}, body: '' });

const stops: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

beforeEach(async () => {
  stage = new Stage('spec-api');
  taken = [];
  sent = 0;
  answer = () => status(204);
  await stage.given(stream.deployment(KEY), declared());
});

function start(instance = 'one', secrets = (): string | undefined => SECRET): () => Promise<void> {
  const http = {
    request: ({ body = '' }: { readonly body?: string }) => {
      const event = JSON.parse(body) as RecordedEvent;
      sent += 1;
      const outcome = answer(event);
      if (outcome.kind === 'response' && outcome.status < 300) taken.push(event.position);
      return Promise.resolve(outcome);
    },
  };
  const stop = stage.start(
    [webhookController({ log: stage.log, http, secrets, logger: silentLogger, rules: RULES })],
    instance,
  );
  stops.push(stop);
  return stop;
}

const webhook = async (): Promise<WebhookState> => {
  const stored = await stage.model().get<WebhookState>('webhook', ID);
  if (!stored) throw new Error('the webhook is not there');
  return stored.document;
};
const writtenTypes = async () => (await stage.written('webhook')).map(({ type }) => type.split('.')[2]);

describe('deliveries of a webhook', () => {
  test('send every event in the order of the log, and none about webhooks', async () => {
    await stage.given(stream.webhook(ID), registered());
    await stage.given(...replicaRequested(0));
    start();
    await stage.until(() => taken.length >= 2);
    await stage.given(...replicaRequested(1));
    await stage.until(() => taken.length >= 3);
    expect(taken).toEqual([1, 3, 4]);
  });

  test('write down how far they are, so that another instance goes on from there', async () => {
    await stage.given(stream.webhook(ID), registered());
    const stop = start();
    await stage.until(async () => (await writtenTypes()).includes('progressed'));
    expect(await webhook()).toMatchObject({ delivered: 1 });
    await stop();
    await stage.given(...replicaRequested(0));
    start('two');
    await stage.until(() => taken.length >= 2, 120_000);
    expect(taken).toEqual([1, (await webhook()).cursor + 2]);
  });

  test('a process that dies sends again what was not yet written down: at least once, in order', async () => {
    await stage.given(stream.webhook(ID), registered());
    const stop = start();
    await stage.until(() => taken.length >= 1, 5_000);
    await stop();
    start('two');
    await stage.until(() => taken.length >= 2, 120_000);
    expect(taken).toEqual([1, 1]);
  });

  test('an event that is refused again and again is a dead letter, and what follows is sent', async () => {
    await stage.given(stream.webhook(ID), registered({ categories: ['deployment', 'replica'] }));
    await stage.given(...replicaRequested(0));
    answer = (event) => status(event.type === 'davit.deployment.declared' ? 422 : 204);
    start();
    await stage.until(() => taken.length >= 1, 3_600_000);
    expect(sent).toBe(9);
    const [letter] = (await webhook()).deadLetters;
    expect(letter).toMatchObject({ eventPosition: 1, attempts: 8, status: 422, again: false });
  });

  test('a dead letter that is asked for once more and taken is none any more', async () => {
    await stage.given(stream.webhook(ID), registered({ categories: ['deployment'] }));
    answer = () => status(500);
    start();
    await stage.until(async () => (await writtenTypes()).includes('dead-lettered'), 3_600_000);
    answer = () => status(200);
    await stage.until(async () => (await webhook()).deadLetters.length > 0);
    const decision = redeliver(await webhook(), undefined);
    if (decision.outcome !== 'accepted' || !decision.events[0]) throw new Error('nothing to send again');
    await stage.given(stream.webhook(ID), decision.events[0]);
    await stage.until(async () => (await webhook()).deadLetters.length === 0);
    expect(taken).toEqual([1]);
  });

  test('a receiver that is away is waited for: no dead letter, and after long nothing more until it is resumed', async () => {
    await stage.given(stream.webhook(ID), registered({ categories: ['deployment'] }));
    answer = () => ({ kind: 'failure', reason: 'refused', detail: '' });
    start();
    await stage.until(async () => (await webhookStatus()) === 'suspended', 2 * 3_600_000);
    expect(await writtenTypes()).toEqual(['suspended']);
    answer = () => status(200);
    const decision = resumeWebhook(await webhook());
    if (decision.outcome !== 'accepted' || !decision.events[0]) throw new Error('it was not suspended');
    await stage.given(stream.webhook(ID), decision.events[0]);
    await stage.until(() => taken.length >= 1);
    expect(taken).toEqual([1]);
  });

  test('a tenant is sent its own events alone', async () => {
    await stage.given(stream.webhook(ID), registered({}, ['blue']));
    await stage.given('fleet/alarms', {
      type: 'davit.fleet.alarm-raised',
      data: { alarm: 'a', severity: 'warning', about: 'x', detail: '' },
    });
    await stage.log.append([{ stream: 'deployment/blue/phi', expectedVersion: 0, events: [declared()] }], {
      tenant: 'blue',
      service: 'spec-api',
    });
    start();
    await stage.until(() => taken.length >= 1);
    expect(taken).toEqual([4]);
  });

  test('without its signing secret nothing is sent', async () => {
    await stage.given(stream.webhook(ID), registered());
    start('one', () => undefined);
    await stage.until(async () => (await webhookStatus()) === 'suspended', 2 * 3_600_000);
    expect(sent).toBe(0);
    expect((await webhook()).suspended?.detail).toContain('DAVIT_WEBHOOK_SECRET_BILLING holds no signing secret');
  });
});

const webhookStatus = async (): Promise<string | undefined> =>
  (await stage.model().get<WebhookState>('webhook', ID))?.document.status;
