import { EventPattern } from '@nestjs/microservices';

/**
 * `@EventPattern` for a subject or wildcard of a stream. Nest's own declaration, given a plain string, refuses
 * handlers that take a typed context.
 */
export const BusEvent = (pattern: string): MethodDecorator =>
  // The type argument is the default one, but naming it is what selects the right overload.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-arguments
  EventPattern<string>(pattern);
