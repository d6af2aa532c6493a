import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '@davit/contracts';
import { EventSight } from '../access/event-sight.js';
import { type EventFilter, isWhole, selected, subjectsOf } from './event-filter.js';

const event = (stream: string, type: string, data: object, tenant = 'default'): RecordedEvent =>
  ({ stream, type, data, tenant, subject: stream.slice(stream.indexOf('/') + 1) }) as unknown as RecordedEvent;

const ready = event('replica/default/qwen-1-0-2', 'davit.replica.ready', { replicaId: 'default/qwen-1-0-2' });
const observed = event('resource/dv-a-b', 'davit.resource.observed', { replicaId: 'default/qwen-1-0-2' });
const accepted = event('intent/1', 'davit.intent.accepted', { intentId: '1', deployment: 'default/qwen' });
const verdict = event('rollout/default/qwen-2-1', 'davit.rollout.verdict-reached', {});
const alarm = event('fleet/alarms', 'davit.fleet.alarm-raised', { alarm: 'a', about: 'x' });
const others = event('deployment/blue/phi', 'davit.deployment.deleted', {}, 'blue');
const all = [ready, observed, accepted, verdict, alarm, others];
const chosen = (filter: EventFilter): RecordedEvent[] => all.flatMap((one) => selected(filter, one) ?? []);

describe('choosing among events', () => {
  test('nothing asked for is everything', () => {
    expect(chosen({ tenants: 'all' })).toEqual(all);
    expect(isWhole({ tenants: 'all' })).toBe(true);
    expect(isWhole({ tenants: ['default'] })).toBe(false);
  });

  test('a deployment is told of by its intents, replicas, resources and rollouts', () => {
    const filter = { tenants: 'all', deployment: 'default/qwen' } as const;
    expect(chosen(filter)).toEqual([ready, observed, accepted, verdict]);
  });

  test('a replica is told of by its own events and those of its resource', () => {
    expect(chosen({ tenants: 'all', replica: 'default/qwen-1-0-2' })).toEqual([ready, observed]);
  });

  test('categories are those of the type, and what is asked must all hold', () => {
    expect(chosen({ tenants: 'all', categories: ['rollout', 'fleet'] })).toEqual([verdict, alarm]);
    const filter = { tenants: 'all', categories: ['replica'], types: ['davit.replica.deleted'] } as const;
    expect(chosen(filter)).toEqual([]);
  });

  test('what may not be seen is not told, and makes the rest less than everything', () => {
    const sight = new EventSight({ role: 'viewer', tenants: ['blue'] });
    expect(chosen({ tenants: 'all', sight })).toEqual([others]);
    expect(isWhole({ tenants: 'all', sight })).toBe(false);
    expect(isWhole({ tenants: 'all', sight: new EventSight({ role: 'admin', tenants: 'all' }) })).toBe(true);
  });

  test('events of other tenants are not seen', () => {
    expect(chosen({ tenants: ['blue'] })).toEqual([others]);
    expect(chosen({ tenants: ['blue'], deployment: 'default/qwen' })).toEqual([]);
  });

  test('an event names each of its subjects once', () => {
    expect(subjectsOf(ready)).toEqual({ deployments: ['default/qwen'], replicas: ['default/qwen-1-0-2'] });
  });
});
