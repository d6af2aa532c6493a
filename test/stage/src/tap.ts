import type { RecordedEvent } from '@davit/contracts';
import type { AppendResult, EventLog } from '@davit/event-log';
import {
  type Clock,
  type CommandOutcome,
  type CommandRequest,
  type CommandRunner,
  type HttpClient,
  type HttpOutcome,
  type HttpRequest,
  sleep,
} from '@davit/ports';

/** Who calls: a process that can die, and stand still, at any call. */
export interface Caller {
  readonly name: string;
  start(): void;
  crash(): void;
  pause(): void;
  resume(): void;
}

/** What a process asks of the world outside itself, right before it happens. */
export type Call =
  | { readonly port: 'append'; readonly types: readonly string[] }
  | { readonly port: 'command'; readonly request: CommandRequest }
  | { readonly port: 'http'; readonly request: HttpRequest };

/** The ways a call can go. */
export interface Ways<Value> {
  /** It happens, and is answered. */
  readonly go: () => Promise<Value>;
  /** What a caller gets whose answer never arrives, after the time that it waits for one. */
  readonly hearNothing: () => Promise<Value>;
}

/** Stands between processes and their ports: sees each call and each delivery, and decides how it goes. */
export interface Tap {
  call<Value>(caller: Caller, call: Call, ways: Ways<Value>): Promise<Value>;
  deliver(caller: Caller, events: readonly RecordedEvent[], go: () => Promise<void>): Promise<void>;
}

/** The connection to the log broke before the answer came. */
export class ReplyLostError extends Error {
  readonly code = 'log-unavailable';
  constructor() {
    super('the connection ended before the answer came');
    this.name = 'ReplyLostError';
  }
}

export interface TappedPorts {
  readonly log: EventLog;
  readonly commands: CommandRunner;
  readonly http: HttpClient;
  readonly clock: Clock;
}

export function tapped(ports: TappedPorts, tap: Tap | undefined, caller: Caller): Omit<TappedPorts, 'clock'> {
  if (!tap) return ports;
  const { commands, http, clock } = ports;
  return {
    log: tappedLog(ports.log, tap, caller),
    commands: {
      run: (request) =>
        tap.call<CommandOutcome>(
          caller,
          { port: 'command', request },
          {
            go: () => commands.run(request),
            hearNothing: async () => {
              await sleep(clock, request.timeoutMs);
              return { kind: 'timed-out', stdout: '', stderr: '' };
            },
          },
        ),
    },
    http: {
      request: (request) =>
        tap.call<HttpOutcome>(
          caller,
          { port: 'http', request },
          {
            go: () => http.request(request),
            hearNothing: async () => {
              await sleep(clock, request.timeoutMs);
              return { kind: 'failure', reason: 'timeout', detail: `no answer in ${request.timeoutMs} ms` };
            },
          },
        ),
    },
  };
}

export function tappedLog(log: EventLog, tap: Tap | undefined, caller: Caller): EventLog {
  if (!tap) return log;
  return {
    append: (writes, context) => {
      const types = writes.flatMap(({ events }) => events.map(({ type }) => type));
      return tap.call<AppendResult>(
        caller,
        { port: 'append', types },
        { go: () => log.append(writes, context), hearNothing: () => Promise.reject(new ReplyLostError()) },
      );
    },
    readStream: (stream, afterVersion, part) => log.readStream(stream, afterVersion, part),
    read: (afterPosition, limit) => log.read(afterPosition, limit),
    head: () => log.head(),
  };
}
