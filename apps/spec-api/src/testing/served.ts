import type { Logger } from '@davit/ports';
import { silentLogger } from '@davit/ports';
import { type RunningService, createService } from '@davit/service-kit';
import { AppModule } from '../app.module.js';

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** A spec-api of this process, and the way to ask it. */
export interface Served {
  readonly service: RunningService;
  /** @param credential key or token; none where nothing is sent */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
}

export interface AskOptions {
  readonly credential?: string | undefined;
  readonly body?: unknown;
  /** Sent as it is, in the place of a body. */
  readonly raw?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function serve(
  environment: Readonly<Record<string, string | undefined>>,
  logger: Logger = silentLogger,
): Promise<Served> {
  const settings = { DAVIT_ADVICE_TIMEOUT: '300ms', DAVIT_EVENT_HEARTBEAT: '200ms', ...environment };
  const service = await createService(AppModule, 'spec-api', { environment: settings, logger });
  await service.ready;
  return { service, ask: (method, path, options) => ask(service.url, method, path, options) };
}

async function ask(url: string, method: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const { credential, body, headers, signal, raw = body === undefined ? undefined : JSON.stringify(body) } = options;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...(raw === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(raw === undefined ? {} : { body: raw }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
