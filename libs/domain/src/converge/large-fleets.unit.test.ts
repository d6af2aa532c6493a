import { describe, expect, it } from '@jest/globals';
import { stream } from '@davit/contracts';
import { decideDeployment } from './decide.js';
import { Fleet, KEY } from '../testing/fleet.js';
import { type exampleDeployment } from '../testing/history.js';
import type { ReplicaState } from '../lifecycle/state.js';

const SIZE = 1_000;
/** What a console shows of a condition without paging. */
const READABLE = 1_000;

describe('a deployment of a thousand replicas', () => {
  /** One replica that serves, under every ordinal. */
  function serving(fleet: Fleet): readonly ReplicaState[] {
    const one = fleet.declare().settle().bringUp(`${KEY}-1-0-1`).replica(`${KEY}-1-0-1`);
    return Array.from({ length: SIZE }, (_, ordinal) => ({ ...one, id: `${KEY}-1-${ordinal}-1`, ordinal }));
  }

  it('is rolled in place with a condition that can be read, and one machine given up', () => {
    const fleet = new Fleet();
    const old = serving(fleet);
    fleet.declare({ replicas: SIZE, strategy: 'in-place', model: 'a/other' });
    const { writes } = decideDeployment(fleet.deployment(KEY), old, fleet.nowMs, 'test');
    expect(writes.filter(({ stream: name }) => name.startsWith('replica/')).map(({ stream: name }) => name)).toEqual([
      stream.replica(`${KEY}-1-0-1`),
    ]);
    fleet.apply(writes.filter(({ stream: name }) => name.startsWith('deployment/')));
    const { reason, message = '' } = fleet.deployment(KEY).conditions['Progressing'] ?? {};
    expect(reason).toBe('MakingRoom');
    expect(message.length).toBeLessThan(READABLE);
    expect(message).toContain(`and ${SIZE - 3} more`);
  });

  it('looks at each replica a few times a pass, and not once for each of the others', () => {
    const fleet = new Fleet();
    let looks = 0;
    const all = serving(fleet);
    const pass = (replicas: readonly ReplicaState[], changes: Parameters<typeof exampleDeployment>[0]): number => {
      fleet.declare({ replicas: SIZE, ...changes });
      const counted = replicas.map(
        (replica) =>
          new Proxy(replica, {
            get(target, name) {
              looks += 1;
              return Reflect.get(target, name) as unknown;
            },
          }),
      );
      looks = 0;
      decideDeployment(fleet.deployment(KEY), counted, fleet.nowMs, 'test');
      return looks / SIZE;
    };
    const dying = all.map((replica): ReplicaState => ({ ...replica, status: 'deleting' }));
    expect(pass(all, {})).toBeLessThan(100);
    expect(pass(dying, {})).toBeLessThan(100);
    expect(pass(all, { strategy: 'in-place', model: 'a/other' })).toBeLessThan(100);
    expect(pass(dying, { strategy: 'surge', model: 'a/third' })).toBeLessThan(100);
  });
});
