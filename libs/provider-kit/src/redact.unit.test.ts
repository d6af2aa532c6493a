import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redact } from './redact.js';

describe('text from outside', () => {
  test.each([
    ['token hf_abcdefghijklmnop here', 'token [redacted] here'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted]'],
    ['see http://user:pa55@host:8000/x', 'see http://[redacted]@host:8000/x'],
    ['WORKER_API_KEY=hunter2 started', 'WORKER_API_KEY=[redacted] started'],
    ['{"api_key": "x y z", "id": 1}', '{"api_key": [redacted], "id": 1}'],
    ['\u001b[1mbold\u001b[0m and\ttabs\nlines', 'bold and tabs lines'],
    ['the API key was rejected: 401', 'the API key was rejected: 401'],
  ])('%j becomes %j', (given, wanted) => expect(redact(given)).toBe(wanted));

  test('a known secret never survives, wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, unit: fc.constantFrom('a', 'b', 'X', 'Y', '0', '7', '-', '_') }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          expect(redact(`${before}${secret}${after}`, [secret], 10_000)).not.toContain(secret);
        },
      ),
    );
  });

  test('it is never longer than allowed', () => expect(redact('x'.repeat(900), [], 100)).toHaveLength(100));
});
