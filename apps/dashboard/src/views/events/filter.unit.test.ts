import { describe, expect, test } from '@jest/globals';
import { eventAt } from '../../testing/event.js';
import { filtered, isEmpty } from './filter.js';
import { summaryOf } from './summary.js';

const ready = eventAt(1, 1, 'davit.replica.ready', { replicaId: 'default/qwen-1-0-1', url: 'http://a:8000' });
const unready = eventAt(2, 2, 'davit.runtime.became-unready', {
  ...{ replicaId: 'default/phi-1-0-1', reason: 'hung', detail: 'tokens stand still' },
});
const deleted = eventAt(3, 3, 'davit.deployment.deleted', { generation: 2 }, 'blue/phi');
const all = [ready, unready, deleted];
const none = { categories: [], type: '', deployment: '', text: '' };

describe('events that are looked for', () => {
  test('are all of them, the latest first, where nothing is asked', () => {
    expect(isEmpty(none)).toBe(true);
    expect(filtered(all, none)).toEqual([deleted, unready, ready]);
  });

  test('are of the categories, type, deployment and text that are asked for, all at once', () => {
    expect(filtered(all, { ...none, categories: ['replica', 'runtime'] })).toEqual([unready, ready]);
    expect(filtered(all, { ...none, type: 'became-' })).toEqual([unready]);
    expect(filtered(all, { ...none, deployment: 'phi' })).toEqual([deleted, unready]);
    expect(filtered(all, { ...none, text: 'Stand Still' })).toEqual([unready]);
    expect(filtered(all, { ...none, deployment: 'phi', categories: ['deployment'] })).toEqual([deleted]);
    expect(filtered(all, { ...none, text: 'nowhere' })).toEqual([]);
  });

  test('say in one line what tells the most', () => {
    expect(summaryOf(unready)).toBe('reason hung · detail tokens stand still');
    expect(summaryOf(deleted)).toBe('');
  });
});
