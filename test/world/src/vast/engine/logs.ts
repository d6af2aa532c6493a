import { type Defects } from '../defects.js';
import { type Worker } from '../entities.js';
import { type VastOptions } from '../options.js';

export const LOG_LEVELS = ['info0', 'info1', 'trace', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Log = Record<LogLevel, string>;

const noLog = (): Log => ({ info0: '', info1: '', trace: '', debug: '' });

/** Logs of endpoints and workergroups: each level a buffer of fixed size, wiped when it is full. */
export class EngineLogs {
  private readonly logs = new Map<number, Log>();

  constructor(
    private readonly options: Pick<VastOptions, 'logBuffer'>,
    private readonly defects: Defects,
  ) {}

  /** A line for a worker's endpoint and workergroup. */
  write({ endpointId, groupId }: Pick<Worker, 'endpointId' | 'groupId'>, level: LogLevel, line: string): void {
    this.writeTo(endpointId, level, line);
    this.writeTo(groupId, level, line);
  }

  writeTo(ownerId: number, level: LogLevel, line: string): void {
    const log = this.logs.get(ownerId) ?? noLog();
    this.logs.set(ownerId, log);
    const full = log[level].length + line.length + 1 > this.options.logBuffer;
    log[level] = `${full ? '' : log[level]}${line}\n`;
  }

  /** What is left of a log: its last so many lines. */
  read(ownerId: number, lines: number): Log {
    if (this.defects.has('logs-wiped')) this.logs.clear();
    const log = this.logs.get(ownerId) ?? noLog();
    const tail = (text: string): string =>
      text
        .split('\n')
        .slice(-(lines + 1))
        .join('\n');
    return { info0: tail(log.info0), info1: tail(log.info1), trace: tail(log.trace), debug: tail(log.debug) };
  }
}
