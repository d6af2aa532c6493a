import { describe, expect, it } from '@jest/globals';
import { Fleet, INTENT, KEY } from '../testing/fleet.js';
import { scale } from './scale.js';

describe('scaling a deployment', () => {
  it('declares what is declared again with another number: the revision stays, and replicas come or go', () => {
    const fleet = new Fleet().declare().settle().bringUp(`${KEY}-1-0-1`);
    expect(fleet.scale(3)).toMatchObject({ outcome: 'accepted', revision: 1, generation: 2, changed: true });
    expect(fleet.settle().statuses()).toEqual({ '1-0-1': 'ready', '1-1-1': 'requested', '1-2-1': 'requested' });
    expect(fleet.scale(0)).toMatchObject({ revision: 1, generation: 3 });
    expect(fleet.settle().statuses()).toEqual({ '1-0-1': 'draining', '1-1-1': 'deleting', '1-2-1': 'deleting' });
  });

  it('to the number that is declared changes nothing and succeeds', () => {
    const fleet = new Fleet().declare({ replicas: 2 });
    expect(fleet.scale(2)).toMatchObject({ outcome: 'accepted', generation: 1, changed: false });
  });

  it('keeps the order that is newest in view: a rollout goes on with the new number', () => {
    const fleet = new Fleet().declare().settle().bringUp(`${KEY}-1-0-1`).declare({ model: 'a/other' }).settle();
    fleet.scale(2);
    expect(fleet.settle().statuses()).toEqual({ '1-0-1': 'ready', '2-0-1': 'requested', '2-1-1': 'requested' });
    expect(fleet.deployment(KEY)).toMatchObject({ revision: 2, generation: 3 });
  });

  it('is refused, with the remedy, where the number cannot be or nothing is there to stay', () => {
    const direct = new Fleet().declare({ mode: 'direct', replicas: 2 });
    expect(direct.scale(3)).toMatchObject({ outcome: 'refused', code: 'too-few-endpoints' });
    expect(direct.scale(1)).toMatchObject({ outcome: 'accepted', changed: true });
    direct.remove();
    expect(direct.scale(1)).toMatchObject({ outcome: 'refused', code: 'being-deleted' });
    expect(scale(undefined, 1, INTENT)).toMatchObject({ outcome: 'refused', code: 'not-found' });
  });

  it('moves the position of the latest order, as every order does, and what is decided of it does not', () => {
    const fleet = new Fleet().declare();
    const declaredAt = fleet.deployment(KEY).orderPosition;
    expect(fleet.settle().deployment(KEY).orderPosition).toBe(declaredAt);
    fleet.scale(2);
    expect(fleet.deployment(KEY).orderPosition).toBe(fleet.events.length);
    fleet.pause();
    expect(fleet.deployment(KEY).orderPosition).toBe(fleet.events.length);
  });
});
