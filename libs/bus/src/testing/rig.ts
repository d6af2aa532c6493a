import { type LogFields, type Logger, silentLogger, systemClock } from '@davit/ports';
import { type NatsBroker, startNats } from '@davit/test-support';
import { Controller, type INestMicroservice, Module, type Type, UseFilters } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { type Bus, connectBus } from '../connection.js';
import { type DeadLetter, readDeadLetter } from '../dead-letters/dead-letter.js';
import { BusContext } from '../strategy/context.js';
import { BusEvent } from '../strategy/decorators.js';
import { BusErrorFilter } from '../strategy/error-filter.js';
import { JetStreamStrategy, type JetStreamStrategyOptions, intentEvents } from '../strategy/jetstream-strategy.js';
import { isMessageMissing } from '../streams/ensure.js';

export type Handle = (body: unknown, context: BusContext) => unknown;
export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** A broker of a test's own and what runs against it; `end` stops all of it. */
export class Rig {
  readonly lines: Line[] = [];
  private readonly endings: (() => Promise<unknown>)[] = [];

  private constructor(readonly broker: NatsBroker) {}

  static async start(): Promise<Rig> {
    return new Rig(await startNats());
  }

  async bus(name = 'test', url = this.broker.url): Promise<Bus> {
    const bus = await connectBus({ url, name, logger: this.logger(), clock: systemClock });
    this.endings.push(() => bus.close());
    return bus;
  }

  /** Runs a Nest microservice with these handlers, as an app does. */
  async serve(
    bus: Bus,
    controllers: Type[],
    options: Partial<JetStreamStrategyOptions> = {},
  ): Promise<{ strategy: JetStreamStrategy; app: INestMicroservice }> {
    const strategy = new JetStreamStrategy({
      bus,
      service: 'test',
      events: intentEvents,
      retry: { firstMs: 20, maxMs: 100 },
      ...options,
    });
    @Module({})
    class TestModule {}
    const module = { module: TestModule, controllers };
    // Nest declares its options as a class and takes any object of that shape.
    const app = await NestFactory.createMicroservice(module, { strategy, logger: false, abortOnError: false });
    this.endings.push(() => app.close());
    await app.listen();
    return { strategy, app };
  }

  logged(message: string): boolean {
    return this.lines.some((line) => line.message.includes(message));
  }

  later(ending: () => Promise<unknown>): void {
    this.endings.push(ending);
  }

  /** Ends what was started since the last call, newest first, and leaves the broker empty. */
  async settle(): Promise<void> {
    for (const ending of this.endings.splice(0).reverse()) await ending();
    const sweeper = await connectBus({ url: this.broker.url, name: 'sweeper', logger: silentLogger });
    const manager = await sweeper.connection.jetstreamManager();
    for await (const stream of manager.streams.names()) await manager.streams.delete(stream);
    await sweeper.close();
    this.lines.length = 0;
  }

  async end(): Promise<void> {
    await this.settle();
    await this.broker.dispose();
  }

  private logger(): Logger {
    const write = (level: string) => (fields: LogFields, message: string) => {
      this.lines.push({ level, message, fields });
    };
    const logger: Logger = {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: () => logger,
    };
    return logger;
  }
}

/** A controller with one handler of stored messages. */
export function eventController(pattern: string, handle: Handle): Type {
  @Controller()
  @UseFilters(BusErrorFilter)
  class EventController {
    @BusEvent(pattern)
    on(@Payload() body: unknown, @Ctx() context: BusContext): unknown {
      return handle(body, context);
    }
  }
  return EventController;
}

/** A controller with one handler of requests. */
export function requestController(pattern: string, handle: Handle): Type {
  @Controller()
  @UseFilters(BusErrorFilter)
  class RequestController {
    @MessagePattern(pattern)
    answer(@Payload() body: unknown, @Ctx() context: BusContext): unknown {
      return handle(body, context);
    }
  }
  return RequestController;
}

/** Everything that has been set aside. */
export async function deadLetters(bus: Bus): Promise<readonly DeadLetter[]> {
  const manager = await bus.connection.jetstreamManager();
  const { state } = await manager.streams.info('DEADLETTERS');
  const found: DeadLetter[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
    try {
      const stored = await manager.streams.getMessage('DEADLETTERS', { seq });
      const letter = readDeadLetter({ headers: stored.header, data: stored.data });
      if (letter) found.push(letter);
    } catch (error) {
      if (!isMessageMissing(error)) throw error;
    }
  }
  return found;
}

/** Messages that a stream holds. */
export async function stored(bus: Bus, stream: string): Promise<number> {
  const manager = await bus.connection.jetstreamManager();
  return (await manager.streams.info(stream)).state.messages;
}

/** A promise with its resolver, to hold a handler where a test wants it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let release = (): void => undefined;
  const opened = new Promise<void>((resolve) => (release = resolve));
  return { opened, open: () => release() };
}

export const text = (payload: Uint8Array): string => new TextDecoder().decode(payload);
