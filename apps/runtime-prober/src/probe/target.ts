import type { HttpClient, HttpOutcome, HttpRequest } from '@davit/ports';

/** A model server, and what is needed to talk to it. */
export type ProbeTarget = {
  /** Address at which the replica is reached, with or without a path in front of the engine's own. */
  readonly url: string;
  readonly expectedModel: string;
  /** Sent to this server only, and only where the engine asks for it. */
  readonly apiKey?: string;
};

type Ask = Pick<HttpRequest, 'method' | 'timeoutMs' | 'maxBytes' | 'body' | 'onBytes'> & {
  readonly path: string;
  readonly needsKey: boolean;
};

/** One request to the server itself: the path is added to its address, so the key cannot go to another host. */
export function ask(http: HttpClient, target: ProbeTarget, { path, needsKey, ...request }: Ask): Promise<HttpOutcome> {
  const key = needsKey && target.apiKey !== undefined ? { authorization: `Bearer ${target.apiKey}` } : {};
  const content = request.body === undefined ? {} : { 'content-type': 'application/json' };
  return http.request({
    ...request,
    url: addressOf(target.url, path),
    headers: { accept: 'application/json, text/plain', 'user-agent': 'davit-runtime-prober/0.1', ...content, ...key },
  });
}

export function addressOf(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = '';
  url.hash = '';
  return url.toString();
}
