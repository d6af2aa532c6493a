import { systemClock } from '@davit/ports';
import type { Type } from '@nestjs/common';
import { commonConfig } from './config/common.js';
import { ConfigError, type Environment, loadConfig } from './config/load.js';
import { type RunningService, createService } from './create-service.js';

const EXIT_FAULT = 1;
const EXIT_CONFIG = 2;

/**
 * Runs a service as this process: started from the environment, stopped by SIGTERM or SIGINT. The last call of `main.ts`.
 * @param mayOpen throws ConfigError where the port must not be opened in this environment
 */
export async function bootstrap(
  appModule: Type,
  name: string,
  mayOpen: (environment: Environment) => void = () => undefined,
): Promise<void> {
  try {
    mayOpen(process.env);
    const service = await createService(appModule, name, { environment: process.env });
    stopOnSignals(service, loadConfig(commonConfig, process.env).DAVIT_STOP_TIMEOUT);
    endOnDefects(service);
    await service.ready;
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.problems.map((problem) => `error  ${problem}`).join('\n')}\n`);
      process.stderr.write(`${name} did not start. (${error.problems.length} error(s), exit ${EXIT_CONFIG})\n`);
      process.exit(EXIT_CONFIG);
    }
    process.stderr.write(
      `${name} did not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(EXIT_FAULT);
  }
}

/** A second signal, or a stop that takes too long, ends the process at once: everything it knows is in the log. */
function stopOnSignals(service: RunningService, timeoutMs: number): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(EXIT_FAULT);
    stopping = true;
    service.logger.info({ signal }, 'stopping');
    systemClock.schedule(timeoutMs, () => {
      service.logger.error({ timeoutMs }, 'the stop took too long; ending regardless');
      process.exit(EXIT_FAULT);
    });
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        service.logger.error({ err: error }, 'the stop failed');
        process.exit(EXIT_FAULT);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** After an error that nobody caught nothing in memory can be trusted; the log can, so a fresh process goes on. */
function endOnDefects({ logger }: RunningService): void {
  const end = (what: string) => (error: unknown) => {
    logger.error({ err: error }, what);
    process.exit(EXIT_FAULT);
  };
  process.on('uncaughtException', end('uncaught exception'));
  process.on('unhandledRejection', end('unhandled rejection'));
}
