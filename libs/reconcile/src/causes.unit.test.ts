import { VirtualClock } from '@davit/ports';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Causes } from './causes.js';

describe('what a pass is caused by', () => {
  let clock: VirtualClock;
  beforeEach(() => {
    clock = new VirtualClock();
  });

  it('is every trace that woke the key since its last pass, the newest as the parent', () => {
    const causes = new Causes({ clock });
    for (const trace of ['a', 'b', 'a']) causes.note('key', trace);
    expect(causes.take('key')).toEqual(['b', 'a']);
  });

  it('is the trace before where nothing woke it, and nothing where there was none', () => {
    const causes = new Causes({ clock });
    causes.note('key', 'a');
    causes.take('key');
    expect(causes.take('key')).toEqual(['a']);
    expect(causes.take('other')).toEqual([]);
  });

  it('is bounded: eight links of a key, the keys that were woken last, and for a time', async () => {
    const causes = new Causes({ clock, most: 2, lifetimeMs: 1_000 });
    for (let n = 0; n < 20; n++) causes.note('busy', `${n}`);
    expect(causes.take('busy')).toEqual(['12', '13', '14', '15', '16', '17', '18', '19']);
    causes.note('second', 'b');
    causes.note('third', 'c');
    expect(causes.take('busy')).toEqual([]);
    await clock.advance(1_001);
    causes.sweep();
    expect(causes.take('third')).toEqual([]);
  });
});
