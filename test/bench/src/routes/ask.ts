import { Agent, request } from 'node:http';
import { processorMs } from '../processor.js';

export type Answer = { readonly bytes: number; readonly tookMs: number; readonly status: number };
export type Question = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST. */
  readonly body?: string;
};

/** One connection that is kept, as scrapers and proxies do. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Asks, reads the answer to its end, and tells how long that took. */
export function ask({ url, headers = {}, body }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const method = body === undefined ? 'GET' : 'POST';
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const asking = request(url, { agent, method, headers: { ...json, ...headers } }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => (bytes += part.length));
      response.on('end', () =>
        resolve({ bytes, tookMs: performance.now() - startMs, status: response.statusCode ?? 0 }),
      );
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

export type Measured = {
  readonly answers: readonly Answer[];
  /** Processor time of the server for each answer, in milliseconds, whatever else it did meanwhile counted. */
  readonly cpuMs: number;
};

const WARM_UP = 5;

/** Asks one question after the other, after a few that are not counted. @param pid of the server */
export async function askMeasured(question: Question, times: number, pid: number | undefined): Promise<Measured> {
  await askTimes(question, WARM_UP);
  const before = processorMs(pid);
  const answers = await askTimes(question, times);
  return { answers, cpuMs: (processorMs(pid) - before) / times };
}

async function askTimes(question: Question, times: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < times) answers.push(await ask(question));
  return answers;
}
