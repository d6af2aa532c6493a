import { describe, expect, test } from '@jest/globals';
import { eventAt } from '../../testing/event.js';
import { loadsOf } from './loads.js';
import { lanesOf } from './timeline.js';

const replicaId = 'default/qwen-1-0-1';
const next = 'default/qwen-2-0-2';

describe('lives of replicas', () => {
  const life = [
    eventAt(1, 0, 'davit.replica.requested', { replicaId }),
    eventAt(2, 2, 'davit.replica.placed', { replicaId }),
    eventAt(3, 3, 'davit.replica.launch-requested', { replicaId }),
    eventAt(4, 60, 'davit.runtime.probing-started', { replicaId }),
    eventAt(5, 90, 'davit.runtime.became-ready', { replicaId }),
    eventAt(6, 91, 'davit.replica.ready', { replicaId }),
    eventAt(7, 200, 'davit.runtime.became-unready', { replicaId }),
    eventAt(8, 201, 'davit.replica.failed', { replicaId }),
    eventAt(9, 201, 'davit.replica.requested', { replicaId: next }),
    eventAt(10, 205, 'davit.replica.delete-requested', { replicaId }),
    eventAt(11, 206, 'davit.runtime.became-unready', { replicaId }),
    eventAt(12, 260, 'davit.replica.deleted', { replicaId }),
  ];

  test('are told state by state, each from the event that began it until the next', () => {
    const [first] = lanesOf(life);
    expect(first?.segments.map(({ state, fromMs, toMs }) => [state, fromMs / 1_000, (toMs ?? 0) / 1_000])).toEqual([
      ['requested', 0, 2],
      ['launching', 2, 60],
      ['loading', 60, 91],
      ['serving', 91, 200],
      ['failed', 200, 205],
      ['deleting', 205, 260],
    ]);
  });

  test('begin one after the other, and the last state of one that lives has no end', () => {
    const lanes = lanesOf(life);
    expect(lanes.map(({ replica, revision }) => [replica, revision])).toEqual([
      [replicaId, 1],
      [next, 2],
    ]);
    expect(lanes[1]?.segments).toMatchObject([{ state: 'requested', toMs: null }]);
  });

  test('a server that answers again serves again, and says nothing of a replica that is on its way out', () => {
    const again = lanesOf([...life.slice(0, 7), eventAt(8, 210, 'davit.runtime.became-ready', { replicaId })]);
    expect(again[0]?.segments.at(-1)).toMatchObject({ state: 'serving', fromMs: 210_000 });
  });
});

describe('load', () => {
  const said = (second: number, id: string, running: number | null, waiting: number | null = 0) =>
    eventAt(second, second, 'davit.runtime.load-summarised', { replicaId: id, running, waiting, kvCacheUsage: 0.5 });

  test('is the sum of what each replica said last', () => {
    expect(loadsOf([said(1, replicaId, 2), said(2, next, 3), said(3, replicaId, 1)])).toMatchObject([
      { running: 2, cache: 50 },
      { running: 5 },
      { running: 4 },
    ]);
  });

  test('that nobody tells is unknown, never zero, and a replica that does not serve counts no more', () => {
    const gone = eventAt(3, 3, 'davit.runtime.became-unready', { replicaId });
    expect(loadsOf([said(1, replicaId, null, null)])).toMatchObject([{ running: null, waiting: null }]);
    expect(loadsOf([said(1, replicaId, 2), said(2, next, 3), gone]).at(-1)).toMatchObject({ running: 3 });
    expect(loadsOf([said(1, replicaId, 2), gone]).at(-1)).toMatchObject({ running: null, cache: null });
  });
});
