import { type Clock, type HttpClient, type HttpOutcome, sleep } from '@davit/ports';
import { unlessAborted } from '../driver/aborted.js';

const failure = (reason: 'timeout' | 'other'): HttpOutcome => ({ kind: 'failure', reason, detail: '' });

/** Ends exchanges at their time-out or when they are cut, on whichever clock. An answer that never comes is a promise that never settles. */
export const timedHttp = (clock: Clock, answer: HttpClient['request']): HttpClient => ({
  request: async (request) => {
    const ended = new AbortController();
    const timed = Promise.race([
      answer(request),
      sleep(clock, request.timeoutMs, ended.signal).then(() => failure('timeout')),
    ]);
    const outcome = request.signal === undefined ? await timed : await unlessAborted(request.signal, timed);
    ended.abort();
    return outcome ?? failure('other');
  },
});
