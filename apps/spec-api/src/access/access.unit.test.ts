import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hashOf, isSameHash } from '@davit/service-kit';
import { accessModeOf, adminKeyHash, mayOpen } from './access-mode.js';
import { type ClaimRules, principalOf } from './claims.js';
import { keyIdIn, mintKey } from './secret.js';

const settings = (more: object) => ({
  ...{ DAVIT_ACCESS: undefined, DAVIT_ADMIN_KEY_FILE: undefined, DAVIT_OIDC_ISSUER: undefined },
  ...{ DAVIT_OIDC_AUDIENCE: undefined, HOST: '127.0.0.1' },
  ...more,
});

describe('whether callers have to say who they are', () => {
  test.each([
    ['on this machine alone, with nothing set', {}, 'local'],
    ['on IPv6 alike', { HOST: '::1' }, 'local'],
    ['with an admin key', { DAVIT_ADMIN_KEY_FILE: '/k' }, 'required'],
    ['with an issuer', { DAVIT_OIDC_ISSUER: 'https://i', DAVIT_OIDC_AUDIENCE: 'a' }, 'required'],
    ['reached by others, where that was asked for', { HOST: '0.0.0.0', DAVIT_ACCESS: 'open' }, 'open'],
    ['where it is asked for although nothing else is set', { DAVIT_ACCESS: 'required' }, 'required'],
  ] as const)('%s: %j', (_what, more, mode) => {
    expect(accessModeOf(settings(more))).toBe(mode);
  });

  test.each(['0.0.0.0', '::', '10.0.0.7', 'api.example.com', '127.0.0.1.example.com'])(
    'a door at %s that asks nobody is not opened, and the remedies are named',
    (HOST) => {
      expect(() => mayOpen({ HOST })).toThrow(
        /HOST: others can reach .* DAVIT_ADMIN_KEY_FILE .* HOST=127\.0\.0\.1, or DAVIT_ACCESS=open/,
      );
    },
  );

  test('an issuer without an audience would take tokens that are meant for others', () => {
    expect(() => mayOpen({ DAVIT_OIDC_ISSUER: 'https://login.example.com' })).toThrow(/DAVIT_OIDC_AUDIENCE is not set/);
  });

  test.each([
    ['DAVIT_OIDC_ISSUER', 'http://login.example.com', 'Set an https address'],
    ['DAVIT_OIDC_ROLES', 'sre=root', 'sre=operator,platform=admin'],
    ['DAVIT_OIDC_TENANTS', 'sre', 'search-team=search'],
    ['DAVIT_ACCESS', 'maybe', 'required, open'],
  ])('%s=%s is refused with what would be right', (name, value, remedy) => {
    expect(() => mayOpen({ [name]: value, DAVIT_OIDC_AUDIENCE: 'davit' })).toThrow(remedy);
  });
});

describe('the admin key', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'davit-admin-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const fileWith = (text: string): string => {
    const file = path.join(folder, 'admin.key');
    writeFileSync(file, text);
    return file;
  };

  test('is what the file holds, without the line break', () => {
    const key = 'k'.repeat(32);
    expect(adminKeyHash({ DAVIT_ADMIN_KEY_FILE: fileWith(`${key}\n`) })).toBe(hashOf(key));
  });

  test.each(['', 'short', 'a b '.repeat(20)])('that could be guessed, %j, is refused and not shown', (text) => {
    const file = fileWith(text);
    expect(() => adminKeyHash({ DAVIT_ADMIN_KEY_FILE: file })).toThrow(
      /is not a key of at least 32 characters on one line/,
    );
  });

  test('that is not there is told by its file', () => {
    expect(() => adminKeyHash({ DAVIT_ADMIN_KEY_FILE: path.join(folder, 'none') })).toThrow(
      /DAVIT_ADMIN_KEY_FILE: ".*none" cannot be read \(ENOENT\)/,
    );
  });
});

describe('secrets', () => {
  test('are told by their form, each is another one, and its hash is that of the whole', () => {
    const [one, two] = [mintKey(), mintKey()];
    expect(one.secret).toMatch(/^davit_[a-z0-9]{12}_[0-9a-f]{64}$/);
    expect(one.secret).not.toBe(two.secret);
    expect(keyIdIn(one.secret)).toBe(one.id);
    expect(hashOf(one.secret)).toBe(one.hash);
    expect(isSameHash(one.hash, two.hash)).toBe(false);
    expect(isSameHash(one.hash, one.hash)).toBe(true);
  });

  test('of a rotation carry the id of their key', () => {
    expect(keyIdIn(mintKey('abcdefghij12').secret)).toBe('abcdefghij12');
  });

  test.each(['', 'davit_short_00', `davit_ABCDEFGHIJ12_${'0'.repeat(64)}`, `x davit_abcdefghij12_${'0'.repeat(64)}`])(
    '%j is none',
    (text) => {
      expect(keyIdIn(text)).toBeUndefined();
    },
  );
});

describe('the claims of a token', () => {
  const rules: ClaimRules = {
    DAVIT_OIDC_NAME_CLAIM: 'email',
    DAVIT_OIDC_ROLE_CLAIM: 'davit_role',
    DAVIT_OIDC_ROLES: undefined,
    DAVIT_OIDC_TENANTS_CLAIM: 'davit_tenants',
    DAVIT_OIDC_TENANTS: undefined,
  };
  const claims = { sub: 'u-1', davit_role: 'operator', davit_tenants: ['search'] };

  test('say role and tenants by themselves where no meaning is set; the subject is the name without another', () => {
    expect(principalOf(claims, rules)).toEqual({ actor: 'u-1', role: 'operator', tenants: ['search'] });
    expect(principalOf({ ...claims, email: 'ann@example.com' }, rules)?.actor).toBe('ann@example.com');
  });

  test('mean what is set, and the highest role counts', () => {
    const meant: ClaimRules = {
      ...rules,
      DAVIT_OIDC_ROLE_CLAIM: 'realm.groups',
      DAVIT_OIDC_ROLES: new Map([
        ['sre', 'admin'],
        ['staff', 'viewer'],
      ]),
      DAVIT_OIDC_TENANTS_CLAIM: 'realm.groups',
      DAVIT_OIDC_TENANTS: new Map([
        ['sre', '*'],
        ['search-team', 'search'],
      ]),
    };
    const of = (...groups: string[]) => principalOf({ sub: 'u', realm: { groups } }, meant);
    expect(of('staff', 'search-team')).toEqual({ actor: 'u', role: 'viewer', tenants: ['search'] });
    expect(of('staff', 'sre')).toEqual({ actor: 'u', role: 'admin', tenants: 'all' });
    expect(of('visitors')).toBeUndefined();
  });

  test('with dots in their names are read as they stand', () => {
    const named = { ...rules, DAVIT_OIDC_ROLE_CLAIM: 'https://davit.dev/role' };
    expect(principalOf({ ...claims, 'https://davit.dev/role': 'viewer' }, named)?.role).toBe('viewer');
  });

  test.each([
    ['a role that is none', { davit_role: 'root' }],
    ['no role', { davit_role: undefined }],
    ['no tenant', { davit_tenants: [] }],
    ['a tenant that is no name', { davit_tenants: ['../x', 7] }],
  ])('with %s open nothing', (_what, more) => {
    expect(principalOf({ ...claims, ...more }, rules)).toBeUndefined();
  });
});
