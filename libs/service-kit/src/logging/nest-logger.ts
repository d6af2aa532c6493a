import type { Logger } from '@davit/ports';
import type { LoggerService } from '@nestjs/common';

/** Parts of Nest that tell, one line each, what they wired: of interest only when looking for a fault. */
const CHATTY = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
  'NestMicroservice',
]);

/** Nest's own messages in the service's log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    const context = contextOf(rest);
    if (context !== undefined && CHATTY.has(context)) this.logger.debug(fields(message, rest), text(message));
    else this.logger.info(fields(message, rest), text(message));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(fields(message, rest), text(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(fields(message, rest), text(message));
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.error(fields(message, rest), text(message));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(fields(message, rest), text(message));
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(fields(message, rest), text(message));
  }
}

const contextOf = (rest: readonly unknown[]): string | undefined => {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
};

/** Nest hands a stack as a string before the context. */
function fields(message: unknown, rest: readonly unknown[]): Record<string, unknown> {
  const [first] = rest;
  return {
    component: contextOf(rest),
    ...(message instanceof Error ? { err: message } : {}),
    ...(rest.length > 1 && typeof first === 'string' ? { stack: first } : {}),
  };
}

const text = (message: unknown): string =>
  message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message);
