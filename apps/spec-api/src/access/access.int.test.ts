import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type KeyTenants, type Role, keySecret, problemDocument } from '@davit/contracts';
import type { Queryable } from '@davit/event-log';
import { tokens } from '@davit/service-kit';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { manifest } from '../testing/manifest.js';
import { OidcIssuer } from '../testing/oidc-issuer.js';
import { type Answer, type Served, serve } from '../testing/served.js';

const ADMIN = 'an-admin-key-that-only-this-test-knows-0123456789';
const APPLY = '/v1/intents/deployment/apply';

let database: TestDatabase;
let broker: NatsBroker;
let issuer: OidcIssuer;
let folder: string;
let first: Served;
let second: Served;

beforeAll(async () => {
  [database, broker, issuer] = await Promise.all([createDatabase(), startNats(), OidcIssuer.start()]);
  folder = await mkdtemp(path.join(tmpdir(), 'davit-access-'));
  await writeFile(path.join(folder, 'admin.key'), `${ADMIN}\n`);
  [first, second] = await Promise.all([start(), start()]);
}, 90_000);

afterAll(async () => {
  await Promise.all([first.service.stop(), second.service.stop()]);
  await issuer.stop();
  await broker.dispose();
  await database.drop();
  await rm(folder, { recursive: true });
}, 60_000);

const start = (more: Readonly<Record<string, string>> = {}): Promise<Served> =>
  serve({
    DATABASE_URL: database.url,
    NATS_URL: broker.url,
    DAVIT_ADMIN_KEY_FILE: path.join(folder, 'admin.key'),
    DAVIT_OIDC_ISSUER: issuer.url,
    DAVIT_OIDC_AUDIENCE: 'davit',
    DAVIT_OIDC_ROLE_CLAIM: 'realm.groups',
    DAVIT_OIDC_ROLES: 'sre=operator,platform=admin',
    DAVIT_OIDC_KEY_COOLDOWN: '1ms',
    ...more,
  });

const codeOf = ({ body }: Answer): string => problemDocument.parse(body).code;
const outcome = (answer: Answer): [number, string] => [answer.status, codeOf(answer)];

async function make(role: Role, tenants: KeyTenants, by = ADMIN, name = `ci-${role}`) {
  const answer = await first.ask('POST', '/v1/keys', { credential: by, body: { name, role, tenants } });
  expect(answer.status).toBe(201);
  return keySecret.parse(answer.body);
}

describe('an API key', () => {
  test('is shown once, in a form that scanners know, and only its hash is in the log and in lists', async () => {
    const { key, secret } = await make('viewer', ['acme']);
    expect(secret).toMatch(new RegExp(`^davit_${key.id}_[0-9a-f]{64}$`));
    const events = await first.ask('GET', '/v1/events?category=access&limit=1000', { credential: ADMIN });
    expect(events.text).toContain(key.id);
    const listed = await eventually(async () => {
      const { text } = await second.ask('GET', '/v1/keys', { credential: ADMIN });
      return text.includes(key.id) && text;
    });
    const own = secret.slice(-64);
    for (const text of [events.text, listed]) expect(text).not.toContain(own);
    expect(listed).not.toContain('ecretHash');
    const rows = JSON.stringify(
      await first.service.app.get<Queryable>(tokens.DATABASE).query('select data::text from log.events'),
    );
    expect(rows).toContain(key.id);
    expect(rows).not.toContain(own);
  });

  test('is needed, and says by 401 how it has to be sent', async () => {
    const answer = await first.ask('GET', '/v1/deployments');
    expect(outcome(answer)).toEqual([401, 'unauthenticated']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="davit"');
    const wrong = await first.ask('GET', '/v1/deployments', { headers: { authorization: 'Basic YTpi' } });
    expect(outcome(wrong)).toEqual([401, 'unauthenticated']);
  });

  test('that never was, that is another one by a digit, and that was revoked are told alike', async () => {
    const { key, secret } = await make('viewer', 'all');
    await first.ask('POST', `/v1/keys/${key.id}/revoke`, { credential: ADMIN, body: { reason: 'test' } });
    const last = secret.endsWith('0') ? '1' : '0';
    const never = `davit_${'z'.repeat(12)}_${'0'.repeat(64)}`;
    const told = await Promise.all(
      [secret, `${secret.slice(0, -1)}${last}`, never, 'nonsense'].map(
        async (credential) => (await first.ask('GET', '/v1/deployments', { credential })).text,
      ),
    );
    expect(new Set(told).size).toBe(1);
  });

  test('that is revoked at one instance opens nothing at the other from the answer on', async () => {
    for (let round = 0; round < 5; round++) {
      const { key, secret } = await make('viewer', 'all');
      expect((await second.ask('GET', '/v1/deployments', { credential: secret })).status).toBe(200);
      const revoked = await first.ask('POST', `/v1/keys/${key.id}/revoke`, {
        credential: ADMIN,
        body: { reason: 'x' },
      });
      expect(revoked.body).toMatchObject({ key: { state: 'revoked' } });
      expect((await second.ask('GET', '/v1/deployments', { credential: secret })).status).toBe(401);
    }
  });

  test('that is rotated works with both secrets while they overlap, and with the new one alone without overlap', async () => {
    const { key, secret } = await make('viewer', 'all');
    const rotate = async (overlapSeconds: number) => {
      const answer = await first.ask('POST', `/v1/keys/${key.id}/rotate`, {
        credential: ADMIN,
        body: { overlapSeconds },
      });
      return keySecret.parse(answer.body).secret;
    };
    const next = await rotate(600);
    for (const credential of [secret, next]) {
      expect((await second.ask('GET', '/v1/deployments', { credential })).status).toBe(200);
    }
    const last = await rotate(0);
    const statuses = [secret, next, last].map(
      async (credential) => (await second.ask('GET', '/v1/deployments', { credential })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  });

  test('hands out no more than it has', async () => {
    const { secret } = await make('admin', ['acme']);
    const wish = (role: Role, tenants: KeyTenants) =>
      first.ask('POST', '/v1/keys', { credential: secret, body: { name: 'more', role, tenants } });
    expect((await wish('operator', ['acme'])).status).toBe(201);
    expect(outcome(await wish('viewer', ['globex']))).toEqual([403, 'forbidden']);
    expect(outcome(await wish('viewer', 'all'))).toEqual([403, 'forbidden']);
    const others = await make('viewer', ['globex']);
    const revoked = await first.ask('POST', `/v1/keys/${others.key.id}/revoke`, {
      credential: secret,
      body: { reason: 'not mine' },
    });
    expect(outcome(revoked)).toEqual([404, 'not-found']);
  });

  test.each([
    [{ name: '', role: 'viewer', tenants: 'all' }, 'name'],
    [{ name: 'x', role: 'root', tenants: 'all' }, 'role'],
    [{ name: 'x', role: 'viewer', tenants: [] }, 'tenants'],
    [{ name: 'x', role: 'viewer', tenants: 'all', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('is not made of %j: the field is named', async (body, field) => {
    const answer = await first.ask('POST', '/v1/keys', { credential: ADMIN, body });
    expect([400, 422]).toContain(answer.status);
    expect(problemDocument.parse(answer.body).errors?.[0]?.path).toContain(field);
  });
});

describe('roles and tenants', () => {
  test('a viewer looks and does not touch, an operator declares, an admin makes keys', async () => {
    const statuses = async (credential: string): Promise<number[]> => {
      const looks = await first.ask('GET', '/v1/deployments', { credential });
      const body = manifest({}, { tenant: 'roles', name: 'x' });
      const declares = await first.ask('POST', APPLY, { credential, body });
      const keys = await first.ask('GET', '/v1/keys', { credential });
      return [looks.status, declares.status, keys.status];
    };
    expect(await statuses((await make('viewer', ['roles'])).secret)).toEqual([200, 403, 403]);
    expect(await statuses((await make('operator', ['roles'])).secret)).toEqual([200, 202, 403]);
    expect(await statuses((await make('admin', ['roles'])).secret)).toEqual([200, 202, 200]);
  });

  test('an intent for another tenant is refused before it is written down, with what it may', async () => {
    const { secret } = await make('operator', ['acme']);
    const head = async () => (await first.ask('GET', '/v1/events?limit=1', { credential: ADMIN })).body;
    const before = await head();
    const answer = await first.ask('POST', APPLY, {
      credential: secret,
      body: manifest({}, { tenant: 'globex', name: 'x' }),
    });
    expect(outcome(answer)).toEqual([403, 'forbidden']);
    expect(answer.text).toContain('yours are: acme');
    expect(await head()).toEqual(before);
  });

  test('what an intent says of its actor counts no more than who sent it', async () => {
    const { key, secret } = await make('operator', ['acme'], ADMIN, 'ci@acme');
    const body = { actor: 'the boss', deployment: manifest({}, { tenant: 'acme', name: 'audited' }) };
    const accepted = await first.ask('POST', APPLY, { credential: secret, body });
    expect(accepted.status).toBe(202);
    const events = await first.ask('GET', '/v1/events?deployment=acme/audited', { credential: ADMIN });
    expect(events.text).toContain(`"actor":"ci@acme (key ${key.id})"`);
    expect(events.text).not.toContain('the boss');
  });

  test('what concerns the whole fleet needs a key for every tenant', async () => {
    const { secret } = await make('admin', ['acme']);
    const fleet = [
      first.ask('GET', '/v1/doctor', { credential: secret }),
      first.ask('GET', '/audit/projections', { credential: secret }),
      first.ask('POST', '/v1/intents/fleet/thaw', { credential: secret, body: { reason: 'x' } }),
    ];
    for (const answer of await Promise.all(fleet)) expect(outcome(answer)).toEqual([403, 'forbidden']);
  });
});

describe('a token of the issuer', () => {
  const sre = { davit_tenants: ['acme'], realm: { groups: ['staff', 'sre'] }, email: 'ann@example.com' };

  test('opens what its claims say, and its name is written down', async () => {
    const credential = await issuer.token(sre);
    const body = manifest({}, { tenant: 'acme', name: 'by-token' });
    expect((await first.ask('POST', APPLY, { credential, body })).status).toBe(202);
    const other = manifest({}, { tenant: 'globex', name: 'by-token' });
    expect((await first.ask('POST', APPLY, { credential, body: other })).status).toBe(403);
    const events = await first.ask('GET', '/v1/events?deployment=acme/by-token', { credential: ADMIN });
    expect(events.text).toContain('"actor":"ann@example.com"');
  });

  test('of a new key of the issuer is taken, and of the one before no more', async () => {
    const old = await issuer.token(sre);
    expect((await first.ask('GET', '/v1/deployments', { credential: old })).status).toBe(200);
    await issuer.rotate();
    const fresh = await issuer.token(sre);
    expect((await first.ask('GET', '/v1/deployments', { credential: fresh })).status).toBe(200);
    expect((await first.ask('GET', '/v1/deployments', { credential: old })).status).toBe(401);
  });

  test('is asked about at the issuer once, and not with each request', async () => {
    const credential = await issuer.token(sre);
    await first.ask('GET', '/v1/deployments', { credential });
    const before = issuer.asked;
    for (let times = 0; times < 5; times++) await first.ask('GET', '/v1/deployments', { credential });
    expect(issuer.asked).toBe(before);
  });

  test.each([
    ['for somebody else', { audience: 'other' }, 'its claim aud does not fit'],
    ['of another issuer', { issuer: 'http://127.0.0.1:1' }, 'its claim iss does not fit'],
    ['that has expired, beyond the skew of clocks', { expiresIn: -120 }, 'has expired'],
    ['that somebody else signed', { forged: true }, 'not signed by a key of the issuer'],
  ])('%s is refused, and what would be right is not told', async (_what, options, reason) => {
    const answer = await first.ask('GET', '/v1/deployments', { credential: await issuer.token(sre, options) });
    expect(outcome(answer)).toEqual([401, 'unauthenticated']);
    expect(answer.text).toContain(reason);
    expect(answer.text).not.toContain(issuer.url);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('within the skew of clocks still counts', async () => {
    const credential = await issuer.token(sre, { expiresIn: -5 });
    expect((await first.ask('GET', '/v1/deployments', { credential })).status).toBe(200);
  });

  test('without a signature, or signed with a secret, is refused', async () => {
    const [, claims = ''] = (await issuer.token(sre)).split('.');
    const header = (alg: string): string => Buffer.from(JSON.stringify({ alg, kid: 'key-1' })).toString('base64url');
    for (const credential of [`${header('none')}.${claims}.`, `${header('HS256')}.${claims}.c2ln`]) {
      const answer = await first.ask('GET', '/v1/deployments', { credential });
      expect(outcome(answer)).toEqual([401, 'unauthenticated']);
    }
  });

  test('that gives no role here may do nothing', async () => {
    const credential = await issuer.token({ davit_tenants: ['acme'], realm: { groups: ['staff'] } });
    expect(outcome(await first.ask('GET', '/v1/deployments', { credential }))).toEqual([403, 'forbidden']);
  });

  test('cannot be checked while the issuer is away, which is no fault of the token; keys go on', async () => {
    const away = await OidcIssuer.start();
    const credential = await away.token(sre);
    await away.stop();
    const lonely = await start({ DAVIT_OIDC_ISSUER: away.url });
    try {
      const answer = await lonely.ask('GET', '/v1/deployments', { credential });
      expect(outcome(answer)).toEqual([503, 'identity-provider-unavailable']);
      expect(answer.text).not.toContain(away.url);
      expect((await lonely.ask('GET', '/v1/deployments', { credential: ADMIN })).status).toBe(200);
    } finally {
      await lonely.service.stop();
    }
  }, 30_000);
});

describe('every answer', () => {
  test('tells browsers to run no script that stands in a page, to frame nothing and to guess no type', async () => {
    const policy = (await first.ask('GET', '/v1/deployments')).headers;
    expect(policy.get('content-security-policy')).toContain("script-src 'self';");
    expect(policy.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(policy.get('x-content-type-options')).toBe('nosniff');
    const stream = await fetch(`${first.service.url}/v1/events/stream`, {
      headers: { authorization: `Bearer ${ADMIN}` },
    });
    expect(stream.headers.get('x-content-type-options')).toBe('nosniff');
    await stream.body?.cancel();
  });

  test('says what is left of the limit, and beyond it when to come again; others are not held up', async () => {
    const limited = await start({ DAVIT_RATE_LIMIT: '3' });
    try {
      const { secret } = await make('viewer', 'all');
      const asked: Answer[] = [];
      for (let times = 0; times < 4; times++) {
        asked.push(await limited.ask('GET', '/v1/deployments', { credential: secret }));
      }
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(asked[0]?.headers.get('ratelimit')).toMatch(/^"minute";r=2;t=\d+$/);
      expect(asked[0]?.headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60');
      expect(Number(asked[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(asked.slice(3).map(codeOf)).toEqual(['too-many-requests']);
      expect((await limited.ask('GET', '/v1/deployments', { credential: ADMIN })).status).toBe(200);
    } finally {
      await limited.service.stop();
    }
  }, 30_000);

  test('of refusal is counted by its reason', async () => {
    const before = await refused(first);
    await first.ask('GET', '/v1/deployments');
    await eventually(async () => (await refused(first)) === before + 1);
  });

  const refused = async (served: Served): Promise<number> => {
    const { text } = await served.ask('GET', '/metrics');
    return Number(/davit_access_refused_total\{reason="unauthenticated"[^}]*\} (\d+)/.exec(text)?.[1]);
  };
});

describe('where nobody is asked who they are', () => {
  let open: Served;
  beforeAll(async () => {
    open = await serve({ DATABASE_URL: database.url, NATS_URL: broker.url });
  }, 60_000);
  afterAll(() => open.service.stop());

  test('everything is answered, and a key that is sent has to be right all the same', async () => {
    expect((await open.ask('GET', '/v1/keys')).status).toBe(200);
    expect((await open.ask('GET', '/v1/keys', { credential: 'davit_wrong' })).status).toBe(401);
    const { secret } = await make('viewer', ['acme']);
    expect((await open.ask('GET', '/v1/keys', { credential: secret })).status).toBe(403);
  });

  test('a name of somebody else that leads here is not answered', async () => {
    const port = new URL(open.service.url).port;
    const { status, body } = await rawRequest(Number(port), 'rebound.example.com');
    expect([status, problemDocument.parse(body).code]).toEqual([403, 'forbidden']);
  });
});

/** `fetch` does not let its caller set the header `Host`. */
async function rawRequest(port: number, host: string): Promise<{ status: number; body: unknown }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/v1/deployments', headers: { host } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
