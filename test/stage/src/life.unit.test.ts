import { describe, expect, it } from '@jest/globals';
import { Life } from './life.js';

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a life that stands still', () => {
  it('gets no answer and begins no call until it is resumed, then goes on where it was', async () => {
    const life = new Life();
    const story: string[] = [];
    let answer: (text: string) => void = () => undefined;
    const asked = life.guard(() => new Promise<string>((resolve) => (answer = resolve)));
    void asked.then((text) => story.push(text));
    life.pause();
    answer('answered');
    void life.guard(() => Promise.resolve(story.push('called')));
    life.run(() => story.push('timer'));
    await settled();
    expect(story).toEqual([]);
    life.resume();
    await settled();
    expect(story[0]).toBe('timer');
    expect(story.toSorted()).toEqual(['answered', 'called', 'timer']);
  });

  it('wakes to nothing when it ended meanwhile', async () => {
    const life = new Life();
    const story: string[] = [];
    life.pause();
    void life.guard(() => Promise.resolve(story.push('called')));
    life.run(() => story.push('timer'));
    life.end();
    life.resume();
    await settled();
    expect(story).toEqual([]);
  });
});
