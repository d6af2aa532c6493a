import type { MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { BusContext } from './context.js';

/** Runs one handler to its end. An Observable that ends without a value is a failure: a filter has swallowed the error. */
export type RunHandler = (handler: MessageHandler, data: unknown, context: BusContext) => Promise<unknown>;

/** Runs the work of a handler inside something of the caller's, such as a span. */
export type AroundHandler = <Result>(context: BusContext, work: () => Promise<Result>) => Promise<Result>;

export async function settle(handler: MessageHandler, data: unknown, context: BusContext): Promise<unknown> {
  const result: unknown = await handler(data, context);
  return isObservable(result) ? lastValueFrom(result) : result;
}
