import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { HttpOutcome } from '@davit/ports';
import { judge } from './reply.js';

const reply = (status: number, body: unknown, headers: Record<string, string> = {}): HttpOutcome => ({
  kind: 'response',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('what an answer means', () => {
  test.each([
    ['success', reply(200, { success: true, result: 1 }), { kind: 'confirmed' }],
    ['a bare list', reply(200, []), { kind: 'confirmed', value: [] }],
    ['200 that says it failed', reply(200, { success: false, msg: 'no' }), { kind: 'refused', class: 'unknown' }],
    ['200 with an error message', reply(200, { error_msg: 'not ready' }), { kind: 'unknown' }],
    ['200 with a bare text', reply(200, '"authenticate_endpoint_apikey: invalid api_key"'), { kind: 'unknown' }],
    ['200 with a page', reply(200, '<html></html>'), { kind: 'unknown' }],
    ['200 with nothing', reply(200, ''), { kind: 'unknown' }],
    [
      'a field that is wrong',
      reply(400, { success: false, error: 'invalid_args', msg: 'bad' }),
      { kind: 'refused', class: 'config' },
    ],
    ['a wrong key', reply(401, { error: 'auth_error', msg: 'Invalid user key' }), { kind: 'refused', class: 'auth' }],
    [
      'a wrong key that looks like a missing thing',
      reply(404, { error: 'auth_error', msg: 'Invalid user key' }),
      { kind: 'refused', class: 'auth' },
    ],
    ['a missing thing', reply(404, { error: 'no_such_workergroup', id: 1 }), { kind: 'refused', class: 'not-found' }],
    [
      'no permission',
      reply(403, { msg: 'Your key lacks the `misc` permission group' }),
      { kind: 'refused', class: 'auth' },
    ],
    ['no money', reply(403, { error: 'insufficient_credit' }), { kind: 'refused', class: 'quota' }],
    ['403 for calling too often', reply(403, { msg: 'API requests too frequent' }), { kind: 'throttled' }],
    ['an offer that is gone', reply(410, {}), { kind: 'refused', class: 'capacity' }],
    ['a gateway that fails', reply(502, '<html>bad gateway</html>'), { kind: 'unknown' }],
    ['a redirect', reply(301, ''), { kind: 'unknown' }],
    ['a time-out', { kind: 'failure', reason: 'timeout', detail: '' } as const, { kind: 'unknown' }],
  ] as [string, HttpOutcome, object][])('%s', (_, outcome, expected) => expect(judge(outcome)).toMatchObject(expected));

  test.each([
    [reply(429, 'API requests too frequent'), null],
    [reply(429, 'API requests too frequent: endpoint threshold=4.0'), 4_000],
    [reply(429, { detail: 'API requests too frequent endpoint threshold=2.5' }), 2_500],
    [reply(429, { success: false, error: 'rate_limit_exceeded', msg: '… threshold=3.0' }), 3_000],
    [reply(429, { error: 'HTTPTooManyRequests', retry_after: 7 }), 7_000],
    [reply(429, { retry_after: 7 }, { 'retry-after': '2' }), 2_000],
    [reply(429, '', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), null],
  ])('a request to slow down is heard in all its forms', (outcome, waitMs) =>
    expect(judge(outcome)).toEqual({ kind: 'throttled', waitMs }),
  );

  test('only an answer of 2xx with JSON is ever a confirmation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        const judged = judge(reply(status, body));
        if (judged.kind !== 'confirmed') return;
        expect(status >= 200 && status < 300).toBe(true);
        expect(() => JSON.parse(body) as unknown).not.toThrow();
      }),
    );
  });
});

describe('a service that says when to come back', () => {
  const NOW = Date.UTC(2026, 10, 21, 7, 28, 0);
  const told = (retryAfter: string, body: string) =>
    judge({ kind: 'response', status: 429, headers: { 'retry-after': retryAfter }, body }, { nowMs: NOW });

  test.each([
    ['seconds', '3', '', 3_000],
    ['a date', 'Sat, 21 Nov 2026 07:28:07 GMT', '', 7_000],
    ['a date that has passed', 'Sat, 21 Nov 2026 07:27:00 GMT', '', 0],
    ['nonsense, and the body says it', 'soon', '{"error":"HTTPTooManyRequests","retry_after":5}', 5_000],
    ['nothing, and the text names the interval', '', 'API requests too frequent: endpoint threshold=4.0', 4_000],
    ['nothing at all', '', 'API requests too frequent', null],
  ])('in %s', (_, header, body, waitMs) => {
    expect(told(header, body)).toEqual({ kind: 'throttled', waitMs });
  });
});
