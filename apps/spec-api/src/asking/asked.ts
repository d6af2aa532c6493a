import type { ServerResponse } from 'node:http';
import type { SentQuery } from '@davit/contracts';
import { type ExecutionContext, Inject, Injectable, type PipeTransform, createParamDecorator } from '@nestjs/common';
import { servedIn } from '../operations/read.js';
import { queryOf } from '../operations/reading.js';
import type { Asking } from './asking.js';
import type { Principal } from './principal.js';
import { Views } from './views.js';

/** A request as it came through the door, which sets `principal`. */
export interface AskedRequest {
  readonly query: SentQuery;
  readonly principal?: Principal;
}

interface Exchange {
  readonly principal: Principal | undefined;
  readonly at: string | undefined;
  readonly reply: { readonly raw: ServerResponse };
}

@Injectable()
class AskingPipe implements PipeTransform<Exchange, Asking> {
  constructor(@Inject(Views) private readonly views: Views) {}

  transform({ principal, at, reply }: Exchange): Asking {
    if (!principal) throw new Error('a question came in that nobody asked at the door who asks it');
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    return this.views.asking(principal, { at, signal: left.signal });
  }
}

const ExchangeOf = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  const { principal, query } = http.getRequest<AskedRequest>();
  // Operations that can be asked of the past have it as a parameter, and the others refuse it.
  const { at }: { readonly at?: string } = queryOf(servedIn(context), query);
  return { principal, at, reply: http.getResponse<Exchange['reply']>() };
});

/** Gives a handler the question: who asks, and what there is to see for them, now or at `?at=`. */
export const Asked = (): ParameterDecorator => ExchangeOf(AskingPipe);
