import type { CommandRunner, HttpClient, Logger } from '@davit/ports';

/** Commands, with one line per effect. Environment and output stay out of the log: they may hold secrets. */
export function observedCommands(commands: CommandRunner, logger: Logger, nowMs: () => number): CommandRunner {
  return {
    async run(request) {
      const startMs = nowMs();
      const outcome = await commands.run(request);
      logger.info(
        {
          file: request.file,
          args: request.args.slice(0, 8),
          outcome: outcome.kind,
          exitCode: outcome.kind === 'exited' ? outcome.exitCode : undefined,
          ms: nowMs() - startMs,
        },
        'command ended',
      );
      return outcome;
    },
  };
}

/** Outgoing HTTP, with one line per exchange; reads are told only at level debug, for there are many. */
export function observedHttp(http: HttpClient, logger: Logger, nowMs: () => number): HttpClient {
  return {
    async request(request) {
      const startMs = nowMs();
      const outcome = await http.request(request);
      const [url] = request.url.split('?');
      const result =
        outcome.kind === 'response' ? { status: outcome.status } : { failure: outcome.reason, detail: outcome.detail };
      logger[request.method === 'GET' ? 'debug' : 'info'](
        { method: request.method, url, ...result, ms: nowMs() - startMs },
        'http exchange ended',
      );
      return outcome;
    },
  };
}
