import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATIONS, type OperationDefinition, type Role, keySecret } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { tokens } from '@davit/service-kit';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { z } from 'zod';
import { manifest } from '../testing/manifest.js';
import { type Planted, plant, poolOf } from '../testing/planted.js';
import { sample } from '../testing/sample.js';
import { type Answer, type Served, serve } from '../testing/served.js';

const ADMIN = 'an-admin-key-that-only-this-test-knows-0123456789';
const own: Planted = {
  ...{ tenant: 'acme', deployment: 'ours', mark: 'zqownmarkzq', keyId: 'ownownownown' },
  uuid: '00000000-0000-4000-8000-000000000001',
};
const others: Planted = {
  ...{ tenant: 'globex', deployment: 'theirs', mark: 'zqhiddenmarkzq', keyId: 'othothothoth' },
  uuid: '00000000-0000-4000-8000-000000000002',
};
/** Of nobody: what is asked for in this name cannot exist. */
const nobody: Planted = {
  ...{ tenant: 'nobody', deployment: 'absent', mark: 'zqabsentmarkzq', keyId: 'nobnobnobnob' },
  uuid: '00000000-0000-4000-8000-000000000003',
};

let database: TestDatabase;
let broker: NatsBroker;
let folder: string;
let served: Served;
const keys = new Map<Role, string>();

beforeAll(async () => {
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  folder = await mkdtemp(path.join(tmpdir(), 'davit-isolation-'));
  await writeFile(path.join(folder, 'admin.key'), ADMIN);
  served = await serve({
    ...{ DATABASE_URL: database.url, NATS_URL: broker.url, DAVIT_RATE_LIMIT: '1000000' },
    DAVIT_ADMIN_KEY_FILE: path.join(folder, 'admin.key'),
  });
  const log = served.service.app.get<EventLog>(tokens.EVENT_LOG);
  for (const planted of [own, others]) {
    const { tenant, deployment: name, mark } = planted;
    const body = manifest(
      { model: { id: `${mark}/model`, servedName: mark } },
      { tenant, name, labels: { team: mark } },
    );
    await served.ask('POST', '/v1/intents/deployment/apply', { credential: ADMIN, body });
    await plant(log, planted);
  }
  for (const role of ['viewer', 'operator', 'admin'] as const) {
    const body = { name: `acme ${role}`, role, tenants: [own.tenant] };
    const answer = await served.ask('POST', '/v1/keys', { credential: ADMIN, body });
    keys.set(role, keySecret.parse(answer.body).secret);
  }
  const head = await log.head();
  await eventually(async () => {
    const { body } = await served.ask('GET', '/v1/deployments', { credential: ADMIN });
    return z.object({ position: z.int() }).parse(body).position >= head;
  });
}, 90_000);

afterAll(async () => {
  await served.service.stop();
  await broker.dispose();
  await database.drop();
  await rm(folder, { recursive: true });
}, 60_000);

/** One way to ask: what is filled in from whose names. */
interface Request {
  readonly path: string;
  readonly body: unknown;
}

const FREE_BODIES: Readonly<Record<string, (planted: Planted) => unknown>> = {
  applyDeployment: ({ tenant, deployment: name }) => manifest({}, { tenant, name }),
  plan: ({ tenant, deployment: name }) => manifest({}, { tenant, name }),
  whatIf: ({ tenant, deployment: name }) => ({ against: `${tenant}/${name}` }),
  // The whole log, as far as whoever asks may see it.
  replay: () => ({ policy: { placement: { objective: 'cost' } } }),
};

/** Every way to ask in somebody's names: as little as possible, and with each parameter that may be there. */
function requestsOf(operation: OperationDefinition, planted: Planted): readonly Request[] {
  const pool = poolOf(planted);
  const params = operation.params ? (sample(operation.params, pool) as Record<string, string>) : {}; // a strict object of texts
  const place = operation.path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
  const body = FREE_BODIES[operation.id]?.(planted) ?? (operation.body && sample(operation.body, pool));
  const parameters = Object.entries(operation.query?.shape ?? {}).map(([name, schema]) => {
    const value = sample(z.object({ [name]: schema as z.ZodType }), pool) as Readonly<Record<string, unknown>>;
    const isNeeded = !(schema as z.ZodType).safeParse(undefined).success;
    return { text: `${name}=${encodeURIComponent(String(value[name]))}`, isNeeded };
  });
  const needed = parameters.filter(({ isNeeded }) => isNeeded).map(({ text }) => text);
  const further = parameters.filter(({ isNeeded }) => !isNeeded).map(({ text }) => [...needed, text]);
  return [needed, ...further].map((query) => ({
    path: query.length === 0 ? place : `${place}?${query.join('&')}`,
    body,
  }));
}

async function ask(
  operation: OperationDefinition,
  { path: place, body }: Request,
  credential: string,
): Promise<Answer> {
  if (operation.media === 'text/event-stream') return followed(place, credential);
  return served.ask(operation.method, place, { credential, body });
}

/** Streams, which are waited for, are followed at once. */
async function askAll(
  operation: OperationDefinition,
  requests: readonly Request[],
  credential: string,
): Promise<readonly Answer[]> {
  if (operation.media === 'text/event-stream')
    return Promise.all(requests.map((request) => ask(operation, request, credential)));
  const answers: Answer[] = [];
  for (const request of requests) answers.push(await ask(operation, request, credential));
  return answers;
}

/** What an event stream tells until it has nothing more to tell. */
async function followed(place: string, credential: string): Promise<Answer> {
  const left = new AbortController();
  const headers = { authorization: `Bearer ${credential}` };
  const response = await fetch(`${served.service.url}${place}`, { headers, signal: left.signal });
  let text = '';
  if (!response.ok) text = await response.text();
  else {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array);
      if (/^: at \d+$|^event: davit\.stream\.checkpoint$/m.test(text)) break;
    }
    left.abort();
  }
  return { status: response.status, headers: response.headers, text, body: undefined };
}

/** What was asked may be said again; what was not asked may not be told. */
const unasked = (request: Request): readonly string[] =>
  [others.mark, others.deployment, others.uuid, others.keyId].filter((name) => !JSON.stringify(request).includes(name));

const everything = ({ headers, text }: Answer): string => `${JSON.stringify([...headers])}\n${text}`;

describe('another tenant', () => {
  test('would be found by these questions, were they asked by somebody who may see it', async () => {
    const found = new Set<string>();
    for (const operation of OPERATIONS.filter(({ method }) => method === 'GET')) {
      const requests = requestsOf(operation, others);
      const answers = await askAll(operation, requests, ADMIN);
      for (const [index, request] of requests.entries()) {
        const told = everything(answers[index] as Answer); // one for each request
        if (unasked(request).some((name) => told.includes(name))) found.add(operation.id);
      }
    }
    const lists = [
      'listDeployments',
      'listReplicas',
      'listRoutes',
      'listOrphans',
      'listAlarms',
      'listEvents',
      'listKeys',
    ];
    expect([...found]).toEqual(
      expect.arrayContaining([...lists, 'streamEvents', 'listRollouts', 'getDeployment', 'getDiff']),
    );
    expect(found.size).toBeGreaterThanOrEqual(14);
  }, 120_000);

  for (const role of ['viewer', 'operator', 'admin'] as const) {
    test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
      `is hidden from the ${role} of one tenant in %s: no answer, stream, header or error shows it`,
      async (_id, operation) => {
        const credential = keys.get(role) ?? '';
        const requests = [...requestsOf(operation, own), ...requestsOf(operation, nobody)];
        for (const told of (await askAll(operation, requests, credential)).map(everything)) {
          for (const name of [others.mark, others.tenant, others.deployment, others.uuid, others.keyId]) {
            expect(told).not.toContain(name);
          }
        }
      },
    );

    test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
      `is no more to the ${role} of one tenant in %s than one that does not exist`,
      async (_id, operation) => {
        const credential = keys.get(role) ?? '';
        const theirs = requestsOf(operation, others);
        const answers = await askAll(operation, theirs, credential);
        const asIf = await askAll(operation, requestsOf(operation, nobody), credential);
        const statuses = (of: readonly Answer[]): readonly unknown[] =>
          of.map(({ status }, index) => ({ path: theirs[index]?.path, status }));
        expect(statuses(answers)).toEqual(statuses(asIf));
        for (const [index, request] of theirs.entries())
          for (const name of unasked(request)) expect(everything(answers[index] as Answer)).not.toContain(name); // one for each request
      },
    );
  }
});
