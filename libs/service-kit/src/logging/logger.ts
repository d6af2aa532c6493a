import type { Logger } from '@davit/ports';
import { pino } from 'pino';

export interface LoggerSettings {
  readonly service: string;
  readonly instance: string;
  readonly level: string;
}

/** JSON lines on standard output. Fields that may hold a secret are cut out wherever a caller puts them. */
export function createLogger({ service, instance, level }: LoggerSettings): Logger {
  return pino({
    level,
    base: { service, instance },
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.password', '*.token', '*.apiKey', '*.env', 'env'], censor: '[redacted]' },
  });
}
