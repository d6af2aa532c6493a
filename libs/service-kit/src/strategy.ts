import { type Bus, DeadLetterProcessor, IntentAnswers, JetStreamStrategy } from '@davit/bus';
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
export function createStrategy(bus: Bus, { name, storedMessages }: ServiceDefinition): ServiceStrategy {
  if (!storedMessages) return new ServiceStrategy({ bus, service: name }, undefined);
  const { answerIntents, ...events } = storedMessages;
  if (answerIntents !== true) return new ServiceStrategy({ bus, service: name, events }, undefined);
  const answers = new IntentAnswers(bus);
  return new ServiceStrategy({ bus, service: name, events, answers }, new DeadLetterProcessor(bus, answers));
}
