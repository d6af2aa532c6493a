import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FrameReader } from './sse.js';

const STREAM = [
  'retry: 1000\n\n',
  'id: 7\nevent: davit.replica.ready\ndata: {"position":7}\n\n',
  ': at 9\n\n',
  'id: 10\nevent: davit.stream.checkpoint\ndata: {"position":10,\ndata: "delivered":1}\n\n',
].join('');

describe('server-sent events', () => {
  test('are read as they were written: events with all lines of their data, and comments', () => {
    expect(new FrameReader().read(STREAM)).toEqual([
      { id: '7', event: 'davit.replica.ready', data: '{"position":7}', comment: null },
      { id: null, event: 'message', data: '', comment: 'at 9' },
      { id: '10', event: 'davit.stream.checkpoint', data: '{"position":10,\n"delivered":1}', comment: null },
    ]);
  });

  test('read the same however the network cuts them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: STREAM.length })), (cuts) => {
        const reader = new FrameReader();
        const ends = [...cuts.sort((a, b) => a - b), STREAM.length];
        const frames = ends.flatMap((end, index) => reader.read(STREAM.slice(index === 0 ? 0 : ends[index - 1], end)));
        expect(frames).toEqual(new FrameReader().read(STREAM));
      }),
    );
  });

  test('what is not whole is not told yet', () => {
    const reader = new FrameReader();
    expect(reader.read('id: 1\nevent: x\ndata: {"a"')).toEqual([]);
    expect(reader.read(':1}\r\n\r\n')).toMatchObject([{ data: '{"a":1}' }]);
  });
});
