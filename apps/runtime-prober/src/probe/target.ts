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
export const ask = (http: HttpClient, target: ProbeTarget, request: Ask): Promise<HttpOutcome> =>
  send(http, target, addressOf(target.url, request.path), request);

/**
 * The same, following one redirect that keeps to the server's own origin: old releases of vLLM send `/metrics` to `/metrics/`
 * with a 307. Any other redirect is the outcome.
 * @param request called for each exchange, for what takes the body of one must not take that of the other
 */
export async function askFollowing(http: HttpClient, target: ProbeTarget, request: () => Ask): Promise<HttpOutcome> {
  const first = request();
  const outcome = await ask(http, target, first);
  const url = ownRedirect(addressOf(target.url, first.path), outcome);
  return url === undefined ? outcome : send(http, target, url, request());
}

function ownRedirect(from: string, outcome: HttpOutcome): string | undefined {
  if (outcome.kind === 'failure' || (outcome.status !== 307 && outcome.status !== 308)) return undefined;
  const { location } = outcome.headers;
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  return to.origin === new URL(from).origin ? to.toString() : undefined;
}

function send(
  http: HttpClient,
  { apiKey }: ProbeTarget,
  url: string,
  { needsKey, method, timeoutMs, maxBytes, body, onBytes }: Ask,
): Promise<HttpOutcome> {
  const key = needsKey && apiKey !== undefined ? { authorization: `Bearer ${apiKey}` } : {};
  const content = body === undefined ? {} : { 'content-type': 'application/json' };
  return http.request({
    ...{ method, url, timeoutMs },
    ...(body === undefined ? {} : { body }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(onBytes === undefined ? {} : { onBytes }),
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
