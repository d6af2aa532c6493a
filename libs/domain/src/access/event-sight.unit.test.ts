import { describe, expect, test } from '@jest/globals';
import { EVENT_DEFINITIONS, type RecordedEvent } from '@davit/contracts';
import { EventSight } from './event-sight.js';

const placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: '0.77',
};
const sampled = { placement, signal: {} };
const elastic = (cloud: string) => ({
  spec: { spec: { compute: { mode: 'elastic', placements: [{ ...placement, cloud }] } } },
});

/** What decides on who sees an event. */
const event = (type: string, tenant: string, data: object, stream = 'replica/x'): RecordedEvent =>
  ({ type, tenant, stream, data }) as unknown as RecordedEvent;

const acme = () => new EventSight({ role: 'viewer', tenants: ['acme'] });
const everyone = () => new EventSight({ role: 'viewer', tenants: 'all' });

describe('who may see one tenant', () => {
  test('sees no event of another one, whatever its type', () => {
    const seen = EVENT_DEFINITIONS.filter(({ type }) =>
      acme().of(
        event(type, 'globex', {
          tenants: ['globex'],
          placement,
          about: 'globex/x',
          replicaId: 'globex/x-1-0-1',
          alarm: 'waiting-long',
        }),
      ),
    );
    expect(seen.map(({ type }) => type)).toEqual([]);
  });

  test('sees what happens to their own things', () => {
    expect(acme().of(event('davit.replica.ready', 'acme', {}))).toBeDefined();
    expect(acme().of(event('davit.tenant.budget-set', 'acme', {}))).toBeDefined();
  });

  test.each([
    ['a freeze', 'davit.fleet.frozen', {}],
    ['an alarm about a provider', 'davit.fleet.alarm-raised', { alarm: 'blind', about: 'skypilot' }],
    ['an alarm about an orphan that nobody owns', 'davit.fleet.alarm-raised', { alarm: 'orphan', about: 'a:b@c' }],
    ['an intent on the fleet', 'davit.intent.received', { verb: 'thaw' }],
    ['its acceptance', 'davit.intent.accepted', { about: 'fleet' }],
    ['the approval to reap', 'davit.intent.accepted', { about: 'skypilot:dv-x@1' }],
  ])('sees nothing of %s, although it is written down under their name', (_what, type, data) => {
    const sight = new EventSight({ role: 'viewer', tenants: ['default'] });
    expect(sight.of(event(type, 'default', data))).toBeUndefined();
    expect(everyone().of(event(type, 'default', data))).toBeDefined();
  });

  test('sees an alarm about their own replica, and the orphan that was theirs', () => {
    const alarm = { alarm: 'waiting-long', about: 'acme/x-1-0-1' };
    expect(acme().of(event('davit.fleet.alarm-raised', 'default', alarm))).toBeDefined();
    const orphan = { replicaId: 'acme/x-1-0-1' };
    expect(acme().of(event('davit.resource.orphan-found', 'acme', orphan, 'resource/a:b@c'))).toBeDefined();
  });

  test('sees what is left of their canary, which names no replica, and not what nobody ever asked for', () => {
    const found = (tenant: string) =>
      event('davit.endpoint.orphan-found', tenant, { replicaId: null }, 'endpoint/a:b@c');
    expect(acme().of(found('acme'))).toBeDefined();
    expect(acme().of(found('globex'))).toBeUndefined();
    const standard = new EventSight({ role: 'viewer', tenants: ['default'] });
    expect(standard.of(found('default'))).toBeUndefined();
    expect(everyone().of(found('default'))).toBeDefined();
  });

  test('sees the market of the offers that they allow, without the limits of others', () => {
    expect(acme().of(event('davit.capacity.sampled', 'default', sampled))).toBeUndefined();
    const sight = new EventSight({ role: 'viewer', tenants: ['acme'] }, ['runpod:*:L40S:1']);
    expect(sight.of(event('davit.capacity.sampled', 'default', sampled))).toMatchObject({
      data: { placement: { cloud: 'runpod', maxHourlyPrice: null } },
    });
  });

  test('learns of offers from what is declared, of their own deployments alone', () => {
    const sight = acme();
    sight.of(event('davit.deployment.declared', 'globex', elastic('runpod')));
    expect(sight.of(event('davit.capacity.sampled', 'default', sampled))).toBeUndefined();
    sight.of(event('davit.deployment.declared', 'acme', elastic('runpod')));
    expect(sight.of(event('davit.capacity.sampled', 'default', sampled))).toBeDefined();
  });

  test('sees the keys of their tenants as an admin, and those that reach further not', () => {
    const admin = new EventSight({ role: 'admin', tenants: ['acme'] });
    const created = (tenants: unknown) => event('davit.access.key-created', 'acme', { tenants });
    expect(admin.of(created(['acme']))).toBeDefined();
    expect(admin.of(created(['acme', 'globex']))).toBeUndefined();
    expect(admin.of(created('all'))).toBeUndefined();
    expect(acme().of(created(['acme']))).toBeUndefined();
  });
});
