import { beforeEach, describe, expect, test } from '@jest/globals';
import { problemDocument } from '@davit/contracts';
import { type LogFields, type Logger, VirtualClock, silentLogger } from '@davit/ports';
import { type ArgumentsHost, NotFoundException } from '@nestjs/common';
import fc from 'fast-check';
import { jsonErrorOffset } from './json-place.js';
import { parseJsonBody } from './json-body.js';
import { ProblemError } from './problem-error.js';
import { ProblemFilter } from './problem.filter.js';

describe('a JSON body', () => {
  test('is read as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(parseJsonBody(JSON.stringify(value)))).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    [1, 9, '{"a": 1,}'],
    [2, 8, '{\n  "a": tru\n}'],
    [1, 8, '{"a": 1'],
    [2, 11, '{\n"a": [1, 2'],
    [1, 1, 'hello'],
    [1, 9, '{"a": "b\nc"}'],
    [1, 6, '{"a" 1}'],
    [1, 4, '[1 2]'],
    [1, 4, '[1]]'],
    [1, 1, '01'],
    [1, 8, '{"a": "\\x"}'],
    [1, 100_001, '['.repeat(100_000)],
  ])('that is broken is told by line and column: %d, %d', (line, column, text) => {
    expect(() => parseJsonBody(text)).toThrow(`line ${line}, column ${column}`);
  });

  test('that is JSON has no place where it stops being so, and one character too many is found', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(' ', '\n', '  '), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(jsonErrorOffset(text)).toBe(text.length);
        expect(jsonErrorOffset(`${text} ]`)).toBe(text.length + 1);
      }),
    );
  });

  test('that says something twice is refused: the last would win, and the first be lost without a word', () => {
    const text = '{\n  "budget": {"maxHourly": "1", "maxHourly": "100"}\n}';
    expect(() => parseJsonBody(text)).toThrow('line 2, column 32: the key "maxHourly" is there a second time');
  });

  test('that is broken is never repeated', () => {
    expect(() => parseJsonBody('{"token": canary-77}')).toThrow(expect.not.stringContaining('canary'));
  });
});

describe('a failed request', () => {
  test.each<[string, unknown, number, string]>([
    ['a problem is sent as it is', new ProblemError(422, 'invalid-spec', 'Wrong', 'so', []), 422, 'invalid-spec'],
    ['an unknown route', new NotFoundException('Cannot GET /x'), 404, 'not-found'],
    ['a body too large', Object.assign(new Error('x'), { statusCode: 413 }), 413, 'payload-too-large'],
    ['a log that does not answer', Object.assign(new Error('x'), { code: 'log-unavailable' }), 503, 'log-unavailable'],
    ['a database in recovery', databaseError('57P03'), 503, 'log-unavailable'],
    ['a full disk of the database', databaseError('53100'), 503, 'log-unavailable'],
    ['no database', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 503, 'log-unavailable'],
    ['a lost connection', new Error('Connection terminated unexpectedly'), 503, 'log-unavailable'],
    ['a wrong statement', databaseError('42P01'), 500, 'internal'],
    ['a defect', new TypeError('canary-81 is undefined'), 500, 'internal'],
    ['something thrown that is no error', 'canary-81', 500, 'internal'],
  ])('%s', (_what, error, status, code) => {
    const answer = answerTo(error);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(problemDocument.parse(JSON.parse(answer.body))).toMatchObject({ status, code, instance: '/v1/x' });
    expect(answer.body).not.toContain('canary-81');
    expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
  });
});

describe('what the log of a service says of answers', () => {
  const overloaded = new ProblemError(503, 'overloaded', 'Too much to do', 'Send it again in a second');
  const lines: [level: string, fields: LogFields, message: string][] = [];
  const line = (level: string) => (fields: LogFields, message: string) => void lines.push([level, fields, message]);
  const logger: Logger = { ...silentLogger, warn: line('warn'), error: line('error') };
  beforeEach(() => void lines.splice(0));

  test('a fault is an error, a request that was turned away a warning, and one that was wrong is not told', () => {
    const fault = new TypeError('x');
    const filter = new ProblemFilter(logger);
    for (const error of [fault, overloaded, new ProblemError(404, 'not-found', 'Not found', 'x')])
      answerTo(error, filter);
    expect(lines).toEqual([
      ['error', { err: fault, method: 'GET', path: '/v1/x' }, 'request failed'],
      ['warn', expect.objectContaining({ code: 'overloaded', path: '/v1/x', more: 0 }), 'request turned away'],
    ]);
  });

  test('many that are turned away for one reason are told together, and another reason at once', async () => {
    const clock = new VirtualClock(0);
    const filter = new ProblemFilter(logger, undefined, clock);
    const busy = new ProblemError(503, 'busy', 'Busy', 'x');
    for (const error of [overloaded, overloaded, busy, overloaded]) answerTo(error, filter);
    await clock.advance(10_000);
    answerTo(overloaded, filter);
    expect(lines.map(([, { code, more }]) => [code, more])).toEqual([
      ['overloaded', 0],
      ['busy', 0],
      ['overloaded', 2],
    ]);
  });
});

function databaseError(code: string): Error {
  return Object.assign(new Error('canary-81'), { code, severity: 'FATAL' });
}

function answerTo(error: unknown, filter = new ProblemFilter(silentLogger)) {
  const answer = { status: 0, headers: {} as Record<string, string>, body: '' };
  const reply = {
    sent: false,
    request: { url: '/v1/x?token=secret', method: 'GET' },
    code(status: number) {
      answer.status = status;
      return reply;
    },
    header(name: string, value: string) {
      answer.headers[name] = value;
      return reply;
    },
    send(body: string) {
      answer.body = body;
    },
  };
  const host = { getType: () => 'http', switchToHttp: () => ({ getResponse: () => reply }) };
  // The filter asks for these two only.
  filter.catch(error, host as unknown as ArgumentsHost);
  return answer;
}
