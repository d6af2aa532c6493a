import type { Clock, HttpClient, HttpOutcome } from '@davit/ports';
import { unlessAborted } from '../driver/aborted.js';

const failure = (reason: 'timeout' | 'other'): HttpOutcome => ({ kind: 'failure', reason, detail: '' });

/** Ends exchanges at their time-out or when they are cut, on whichever clock. An answer that never comes is a promise that never settles. */
export const timedHttp = (clock: Clock, answer: HttpClient['request']): HttpClient => ({
  request: async (request) => {
    const timed = new Promise<HttpOutcome>((resolve, reject) => {
      const cancel = clock.schedule(request.timeoutMs, () => resolve(failure('timeout')));
      answer(request).then(resolve, reject).finally(cancel);
    });
    const outcome = request.signal === undefined ? await timed : await unlessAborted(request.signal, timed);
    return outcome ?? failure('other');
  },
});
