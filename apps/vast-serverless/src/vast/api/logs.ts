import { z } from 'zod';
import { clean } from '../wire/clean.js';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';

/** By name: the numbers that Vast's own sources give them contradict each other. */
export const LOG_LEVELS = ['info0', 'info1', 'trace', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MAX_LINES = 200;
const MAX_LINE = 300;

const lines = z
  .string()
  .transform((text) =>
    text
      .split('\n')
      .slice(-MAX_LINES)
      .map((line) => clean(line, [], MAX_LINE))
      .filter((line) => line !== ''),
  )
  .optional();
const levels = z.object({ info0: lines, info1: lines, trace: lines, debug: lines });
const oneText = z.object({ logs: lines });

/** Last lines of each level that there are, without anything that could be a value of a variable or a key. */
export type EngineLog = Readonly<Partial<Record<LogLevel, readonly string[]>>>;

/** Four levels, or one text, which is told as `info0`. An answer with neither is not an empty log. */
export const engineLog = z.union([
  oneText.refine(({ logs }) => logs !== undefined).transform(({ logs = [] }): EngineLog => ({ info0: logs })),
  levels
    .refine((found) => LOG_LEVELS.some((level) => found[level] !== undefined))
    .transform((found): EngineLog => {
      const present = LOG_LEVELS.flatMap((level) => (found[level] === undefined ? [] : [[level, found[level]]]));
      return Object.fromEntries(present) as EngineLog;
    }),
]);

/** What the engine did and why: of an endpoint its decisions, of a workergroup its search for machines. */
export class LogsApi {
  constructor(private readonly transport: Transport) {}

  /** @param tail how much of the end, in lines or characters: Vast's sources differ */
  ofEndpoint(endpointId: number, tail = 10_000): Promise<Reply<EngineLog>> {
    return this.read('POST get_endpoint_logs', '/get_endpoint_logs/', endpointId, tail);
  }

  ofWorkergroup(groupId: number, tail = 10_000): Promise<Reply<EngineLog>> {
    return this.read('POST get_workergroup_logs', '/get_workergroup_logs/', groupId, tail);
  }

  private read(route: 'POST get_endpoint_logs' | 'POST get_workergroup_logs', path: string, of: number, tail: number) {
    return this.transport.call({ route, path, schema: engineLog, body: { id: of, tail } });
  }
}
