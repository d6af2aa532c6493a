import { Agent, request } from 'node:http';

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

export async function askTimes(question: Question, times: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < times) answers.push(await ask(question));
  return answers;
}
