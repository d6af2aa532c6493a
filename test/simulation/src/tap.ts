import type { RecordedEvent } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import type { CommandRequest, CommandRunner, HttpClient, HttpRequest } from '@davit/ports';
import type { SimulatedService } from './simulated-service.js';

/** What a service asks of the world outside its own process, right before it happens. */
export type Call =
  | { readonly port: 'append'; readonly types: readonly string[] }
  | { readonly port: 'command'; readonly request: CommandRequest }
  | { readonly port: 'http'; readonly request: HttpRequest };

/** Stands between the services and their ports: sees each call and each delivery, and may hold it, double it, or end the caller. */
export interface Tap {
  call<Value>(service: SimulatedService, call: Call, go: () => Promise<Value>): Promise<Value>;
  deliver(service: SimulatedService, events: readonly RecordedEvent[], go: () => Promise<void>): Promise<void>;
}

export interface TappedPorts {
  readonly log: EventLog;
  readonly commands: CommandRunner;
  readonly http: HttpClient;
}

export function tapped(ports: TappedPorts, tap: Tap | undefined, service: SimulatedService): TappedPorts {
  if (!tap) return ports;
  const { log, commands, http } = ports;
  return {
    log: {
      append: (writes, context) => {
        const types = writes.flatMap(({ events }) => events.map(({ type }) => type));
        return tap.call(service, { port: 'append', types }, () => log.append(writes, context));
      },
      readStream: (stream, afterVersion) => log.readStream(stream, afterVersion),
      read: (afterPosition, limit) => log.read(afterPosition, limit),
      head: () => log.head(),
    },
    commands: {
      run: (request) => tap.call(service, { port: 'command', request }, () => commands.run(request)),
    },
    http: {
      request: (request) => tap.call(service, { port: 'http', request }, () => http.request(request)),
    },
  };
}
