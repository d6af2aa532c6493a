import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAnswerable, mostSpecificPattern, subjectMatches } from './subjects.js';

const token = fc.stringMatching(/^[a-z]{1,3}$/);
const subject = fc.array(token, { minLength: 1, maxLength: 5 });

describe('subject patterns', () => {
  it.each([
    ['a.b', 'a.b', true],
    ['a.b', 'a.b.c', false],
    ['a.b.c', 'a.b', false],
    ['a.*', 'a.b', true],
    ['a.*', 'a.b.c', false],
    ['*.b', 'a.b', true],
    ['a.>', 'a.b.c', true],
    ['a.>', 'a', false],
    ['>', 'a', true],
  ])('%s over %s: %s', (pattern, text, matches) => {
    expect(subjectMatches(pattern, text)).toBe(matches);
  });

  it('match a subject with any of its tokens replaced by a star, and with any tail by ">"', () => {
    fc.assert(
      fc.property(subject, fc.nat(), (tokens, choice) => {
        const index = choice % tokens.length;
        const text = tokens.join('.');
        const starred = tokens.map((one, at) => (at === index ? '*' : one)).join('.');
        const tail = [...tokens.slice(0, index), '>'].join('.');
        return subjectMatches(starred, text) && subjectMatches(tail, text) && subjectMatches(text, text);
      }),
    );
  });

  it('are ranked by how much they say, from the left', () => {
    const patterns = ['>', 'a.>', 'a.*.c', 'a.b.*', '*.b.c'];
    expect(mostSpecificPattern(patterns, 'a.b.c')).toBe('a.b.*');
    expect(mostSpecificPattern(patterns, 'a.x.c')).toBe('a.*.c');
    expect(mostSpecificPattern(patterns, 'a.x.y')).toBe('a.>');
    expect(mostSpecificPattern([...patterns, 'a.b.c'], 'a.b.c')).toBe('a.b.c');
    expect(mostSpecificPattern(['b.>'], 'a.b')).toBeUndefined();
  });
});

describe('reply subjects', () => {
  it.each([
    ['_INBOX.abc.1', true],
    ['gateway.answers', true],
    ['davit.log.replica.ready', false],
    ['davit.intent.deployment.delete', false],
    ['$JS.API.STREAM.DELETE.LOG', false],
    ['', false],
    [undefined, false],
  ])('%s is answered: %s', (reply, answered) => {
    expect(isAnswerable(reply)).toBe(answered);
  });
});
