import type { ServerResponse } from 'node:http';
import { type ExecutionContext, Inject, Injectable, type PipeTransform, createParamDecorator } from '@nestjs/common';
import { type Query, single } from '../queries/parameters.js';
import type { Asking } from './asking.js';
import type { Principal } from './principal.js';
import { Views } from './views.js';

/** A request as it came through the door, which sets `principal`. */
export interface AskedRequest {
  readonly method: string;
  readonly query: Query;
  readonly principal?: Principal;
}

interface Exchange {
  readonly request: AskedRequest;
  readonly reply: { readonly raw: ServerResponse };
}

@Injectable()
class AskingPipe implements PipeTransform<Exchange, Asking> {
  constructor(@Inject(Views) private readonly views: Views) {}

  transform({ request, reply }: Exchange): Asking {
    const { principal = LOCAL_PRINCIPAL, method, query } = request;
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    // What is done is done now, whatever it is asked with.
    const at = method === 'GET' ? single(query, 'at') : undefined;
    return this.views.asking(principal, { at, signal: left.signal });
  }
}

const ExchangeOf = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<AskedRequest>(), reply: http.getResponse<Exchange['reply']>() };
});

/** Gives a handler the question: who asks, and what there is to see for them, now or at `?at=`. */
export const Asked = (): ParameterDecorator => ExchangeOf(AskingPipe);
