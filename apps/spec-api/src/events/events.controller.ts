import { type EventsPage, type QueryOf, type RecordedEvent, operations } from '@davit/contracts';
import { type EventFilter, isWhole, selected } from '@davit/domain';
import { type CommonConfig, ProblemError, type ServicePorts, ServiceState, tokens } from '@davit/service-kit';
import { Controller, Headers, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { sightOf } from '../asking/sight.js';
import { badRequest } from '../operations/bad-request.js';
import { ReadQuery } from '../operations/read.js';
import { queryOf } from '../operations/reading.js';
import { Serves } from '../operations/serves.js';
import type { SpecApiConfig } from '../spec-api-config.js';
import { EVENT_TAIL } from '../tokens.js';
import { StalledReaderError, streamEvents } from './event-stream.js';
import type { EventTail } from './event-tail.js';
import { filterOf } from './filter-query.js';

const MAX_PAGE = 1_000;
/** Pages looked through for one answer when what is asked for is rare; the answer says where to go on. */
const MAX_PAGES = 20;

/** The log itself, from any position: by page, or as a stream that first catches up and then follows. */
@Controller()
export class EventsController {
  private open = 0;

  constructor(
    @Inject(tokens.SERVICE_PORTS) private readonly ports: ServicePorts,
    @Inject(tokens.CONFIG) private readonly config: CommonConfig & SpecApiConfig,
    @Inject(ServiceState) private readonly state: ServiceState,
    @Inject(EVENT_TAIL) private readonly tail: EventTail,
  ) {}

  @Serves(operations.listEvents)
  async page(@Asked() asking: Asking, @ReadQuery() query: QueryOf<typeof operations.listEvents>): Promise<EventsPage> {
    const { after, limit } = query;
    const filter = filterOf(query, await sightOf(this.ports.model, asking.principal));
    const whole = isWhole(filter);
    const head = await this.ports.log.head();
    let next = after;
    const items: RecordedEvent[] = [];
    for (let pages = 0; pages < MAX_PAGES && items.length < limit; pages++) {
      const page = await this.ports.log.read(next, whole ? limit : MAX_PAGE);
      for (const event of page) {
        if (items.length >= limit) break;
        next = event.position;
        const seen = selected(filter, event);
        if (seen) items.push(seen);
      }
      if (page.length === 0 || whole) break;
    }
    return { items, next, head };
  }

  /** Server-sent events; a client that reconnects sends `Last-Event-ID` and misses nothing. */
  @Serves(operations.streamEvents)
  async stream(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.streamEvents>,
    @Res() reply: FastifyReply,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<void> {
    const filter = filterOf(query, await sightOf(this.ports.model, asking.principal));
    const { after } = lastEventId === undefined ? query : queryOf(operations.streamEvents, { after: lastEventId });
    const head = await this.ports.log.head();
    if (after > head) {
      throw badRequest([
        {
          path: '?after',
          message: `${after} lies beyond the end of the log (${head})`,
          remedy: 'Start from an earlier position.',
        },
      ]);
    }
    if (this.open >= this.config.DAVIT_MAX_EVENT_STREAMS) {
      throw new ProblemError(
        503,
        'too-many-streams',
        'Too many event streams',
        `${this.open} are open; try again later.`,
      );
    }
    await this.follow(reply, after, filter);
  }

  private async follow(reply: FastifyReply, after: number, filter: EventFilter): Promise<void> {
    const left = new AbortController();
    const signal = AbortSignal.any([left.signal, this.state.stopping]);
    this.open += 1;
    reply.hijack();
    const { raw } = reply;
    raw.once('close', () => left.abort());
    raw.on('error', () => left.abort());
    // The body ends with the connection: what goes to many readers then is the same bytes, which are put into no chunks for each.
    raw.removeHeader('transfer-encoding');
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    raw.flushHeaders();
    const { socket } = raw;
    try {
      const { DAVIT_EVENT_HEARTBEAT: heartbeatMs, DAVIT_EVENT_STALL: stallMs } = this.config;
      const { tail, ports } = this;
      if (!socket) throw new Error('the connection has gone, or still answers what was asked on it before');
      await streamEvents(socket, { tail, after, filter, clock: ports.clock, heartbeatMs, stallMs, signal });
    } catch (error) {
      this.ports.logger.warn({ err: error, after }, 'event stream ended; the reader resumes from its last event');
      if (error instanceof StalledReaderError) raw.destroy();
    } finally {
      this.open -= 1;
      raw.end();
    }
  }
}
