import type { AppendContext, AppendResult, EventLog, StreamWrite } from '@davit/event-log';
import type { Logger } from '@davit/ports';

/** Told of every append, whatever it ended in. */
export type OnAppend = (outcome: AppendResult['outcome'] | 'fault', seconds: number, fault?: unknown) => void;

/** The log, with one line per decision: what was written where, on whose behalf. */
export function observedLog(log: EventLog, logger: Logger, nowMs: () => number, onAppend: OnAppend): EventLog {
  return {
    async append(writes, context) {
      const startMs = nowMs();
      try {
        const result = await log.append(writes, context);
        onAppend(result.outcome, (nowMs() - startMs) / 1_000);
        tell(logger, writes, context, result);
        return result;
      } catch (error) {
        onAppend('fault', (nowMs() - startMs) / 1_000, error);
        throw error;
      }
    },
    readStream: (stream, afterVersion, part) => log.readStream(stream, afterVersion, part),
    read: (afterPosition, limit) => log.read(afterPosition, limit),
    head: () => log.head(),
  };
}

function tell(logger: Logger, writes: readonly StreamWrite[], context: AppendContext, result: AppendResult): void {
  const common = { tenant: context.tenant, correlationId: context.correlationId, basedOn: context.basedOnPosition };
  if (result.outcome === 'appended') {
    const events = result.events.map(({ type, stream, position }) => ({ type, stream, position }));
    logger.info({ ...common, events }, 'decided');
    return;
  }
  const { outcome } = result;
  const wanted = writes.flatMap(({ stream, events }) => events.map(({ type }) => ({ type, stream })));
  const level = outcome === 'fenced' ? 'warn' : 'info';
  logger[level]({ ...common, outcome, wanted }, 'not appended');
}
