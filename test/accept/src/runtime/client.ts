import { MODEL, promptOf } from './model.js';

export interface Completion {
  readonly promptTokens: number;
  /** Words at which the prompt begins; equal beginnings are found in the cache. */
  readonly from?: number;
  readonly generate: number;
  /** Any token ends the answer, which then holds one. */
  readonly stopAtOnce?: boolean;
}

export interface Answered {
  readonly tookSeconds: number;
  /** As the server itself counts them. */
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** A server that was stopped for a while closes connections just when they are used again: each request has its own. */
const OWN_CONNECTION = { connection: 'close' };

/** A user of the model server. */
export class ModelClient {
  constructor(
    readonly url: string,
    private readonly apiKey: string,
  ) {}

  /** @throws Error with the server's words when it does not answer with success */
  async complete(completion: Completion, signal?: AbortSignal): Promise<Answered> {
    const startedMs = performance.now();
    const response = await this.send(completion, signal);
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    const { usage } = JSON.parse(text) as Pick<Answered, 'usage'>; // the API's own shape
    return { tookSeconds: (performance.now() - startedMs) / 1_000, usage };
  }

  /** Sends a request and goes away once it is taken, whether or not it was answered by then. */
  async abandon(completion: Completion, isTaken: () => Promise<unknown>): Promise<void> {
    const leaving = new AbortController();
    const answer = this.complete(completion, leaving.signal).catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    });
    try {
      await Promise.race([answer, isTaken()]);
    } finally {
      leaving.abort();
    }
    await answer;
  }

  /** The body of its metrics. */
  async metrics(path = '/metrics', accept = 'text/plain'): Promise<string> {
    return (await fetch(this.url + path, { headers: { accept, ...OWN_CONNECTION } })).text();
  }

  async post(path: string): Promise<number> {
    return (await fetch(this.url + path, { method: 'POST', headers: OWN_CONNECTION })).status;
  }

  private send({ promptTokens, from = 0, generate, stopAtOnce = false }: Completion, signal?: AbortSignal) {
    const everyToken = Array.from({ length: MODEL.vocabulary }, (_, token) => token);
    return fetch(`${this.url}/v1/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json', ...OWN_CONNECTION },
      body: JSON.stringify({
        model: MODEL.servedName,
        prompt: promptOf(promptTokens, from),
        max_tokens: generate,
        temperature: 0,
        ...(stopAtOnce ? { stop_token_ids: everyToken } : { ignore_eos: true }),
      }),
      ...(signal ? { signal } : {}),
    });
  }
}
