import { describe, expect, test } from '@jest/globals';
import type { Frame } from '../api/sse.js';
import { Track } from './track.js';

const event = (position: number): Frame => ({
  ...{ id: String(position), event: 'davit.replica.ready', comment: null },
  data: JSON.stringify({ position, type: 'davit.replica.ready' }),
});
const checkpoint = (position: number, delivered: number): Frame => ({
  ...{ id: String(position), event: 'davit.stream.checkpoint', comment: null },
  data: JSON.stringify({ after: 0, position, delivered }),
});
const comment = (text: string): Frame => ({ id: null, event: 'message', data: '', comment: text });

function tracked(begin: number): Track {
  const track = new Track();
  track.begin(begin);
  return track;
}

describe('a stream that is followed', () => {
  test('has no gap while its positions follow one another, and repeats nothing that was heard', () => {
    const track = tracked(4);
    expect(track.hear([event(5), event(6)])).toMatchObject({ gap: false, events: [{ position: 5 }, { position: 6 }] });
    expect(track.hear([event(6), event(7)])).toMatchObject({ gap: false, events: [{ position: 7 }] });
    expect(track.position).toBe(7);
  });

  test('has a gap where a position is missing', () => {
    expect(tracked(4).hear([event(5), event(7)])).toMatchObject({ gap: true });
  });

  test('is as far as its comments say', () => {
    const track = tracked(4);
    track.hear([comment('at 9')]);
    expect(track.position).toBe(9);
    expect(track.hear([event(10)]).gap).toBe(false);
  });

  test('that leaves others out is held to the number of events that it says it sent', () => {
    const track = tracked(0);
    track.hear([checkpoint(3, 0)]);
    expect(track.hear([event(5), event(9), checkpoint(12, 2)]).gap).toBe(false);
    expect(track.position).toBe(12);
    expect(track.hear([event(14), checkpoint(20, 2)]).gap).toBe(true);
  });
});
