import type { EventLog } from '@davit/event-log';
import type { CommandRunner, HttpClient, Tracing } from '@davit/ports';

/** Commands as effects. Only the words that say what is asked are told: the others name things, and the environment is secret. */
export const tracedCommands = (commands: CommandRunner, tracing: Tracing): CommandRunner => ({
  run: (request) => {
    const file = request.file.slice(request.file.lastIndexOf('/') + 1);
    const attributes = { 'process.executable.name': file, 'davit.command': request.args.slice(0, 2).join(' ') };
    return tracing.effect(
      `exec ${file}`,
      attributes,
      () => commands.run(request),
      (outcome) => ({
        attributes: {
          'davit.outcome': outcome.kind,
          ...(outcome.kind === 'exited' ? { 'process.exit.code': outcome.exitCode } : {}),
        },
        failed: outcome.kind !== 'exited' || outcome.exitCode !== 0,
      }),
    );
  },
});

/** Outgoing HTTP as effects. No `traceparent` is sent: providers and model servers are no part of this system. */
export const tracedHttp = (http: HttpClient, tracing: Tracing): HttpClient => ({
  request: (request) => {
    const { hostname, pathname } = URL.canParse(request.url) ? new URL(request.url) : { hostname: '', pathname: '' };
    const attributes = { 'http.request.method': request.method, 'server.address': hostname, 'url.path': pathname };
    return tracing.effect(
      request.method,
      attributes,
      () => http.request(request),
      (outcome) => ({
        attributes:
          outcome.kind === 'response'
            ? { 'http.response.status_code': outcome.status }
            : { 'error.type': outcome.reason },
        failed: outcome.kind === 'failure' || outcome.status >= 500,
      }),
    );
  },
});

/** What a unit writes carries its `traceparent`, so that whoever acts on it goes on with its trace. */
export const tracedLog = (log: EventLog, tracing: Tracing): EventLog => ({
  append(writes, context) {
    const traceparent = tracing.current();
    return log.append(writes, traceparent === undefined ? context : { ...context, traceparent });
  },
  readStream: (stream, afterVersion, part) => log.readStream(stream, afterVersion, part),
  read: (afterPosition, limit) => log.read(afterPosition, limit),
  head: () => log.head(),
});
