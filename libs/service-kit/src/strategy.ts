import { type AroundHandler, type Bus, DeadLetterProcessor, IntentAnswers, JetStreamStrategy } from '@davit/bus';
import type { Tracing } from '@davit/ports';
import type { ServiceDefinition } from './service-definition.js';

/** Closing it a second time, as Nest does after we have, does nothing. */
export class ServiceStrategy extends JetStreamStrategy {
  private closing: Promise<void> | undefined;

  constructor(
    options: ConstructorParameters<typeof JetStreamStrategy>[0],
    private readonly deadLetters: DeadLetterProcessor | undefined,
  ) {
    super(options);
  }

  override listen(callback: (error?: unknown) => void): void {
    this.deadLetters?.start();
    super.listen(callback);
  }

  override close(): Promise<void> {
    this.closing ??= Promise.all([super.close(), this.deadLetters?.close()]).then(() => undefined);
    return this.closing;
  }
}

/** The bus side of a service: requests it serves, and stored messages if it is the one that handles them. */
export function createStrategy(
  bus: Bus,
  { name, storedMessages }: ServiceDefinition,
  tracing: Tracing,
): ServiceStrategy {
  const common = { bus, service: name, around: tracedMessages(tracing) };
  if (!storedMessages) return new ServiceStrategy(common, undefined);
  const { answerIntents, ...events } = storedMessages;
  if (answerIntents !== true) return new ServiceStrategy({ ...common, events }, undefined);
  const answers = new IntentAnswers(bus);
  return new ServiceStrategy({ ...common, events, answers }, new DeadLetterProcessor(bus, answers));
}

/** Messages whose sender traces them are units of work; others are once they write. */
const tracedMessages =
  (tracing: Tracing): AroundHandler =>
  async ({ subject, traceparent }, work) => {
    const causes = traceparent === undefined ? [] : [traceparent];
    const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': subject };
    const about = { name: subject, kind: 'server', causes, always: causes.length > 0, attributes } as const;
    const unit = tracing.open(about);
    let failed = true;
    try {
      const result = await unit.run(work);
      failed = false;
      return result;
    } finally {
      unit.end({}, failed);
    }
  };
