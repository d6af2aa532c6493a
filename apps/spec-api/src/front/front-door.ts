import { type CommonConfig, ProblemError, ServiceState, tokens } from '@davit/service-kit';
import { type Clock, systemClock } from '@davit/ports';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SpecApiConfig } from '../spec-api-config.js';
import { isAcceptable } from './acceptable.js';
import { answerConditionally } from './conditional.js';
import { type LoadClass, LoadGate } from './load-gate.js';
import { LoopDelay } from './loop-delay.js';

const STREAM = '/v1/events/stream';

/** What holds for every request below `/v1/`, before any handler sees it: room for it, and an answer that its client takes. */
@Injectable()
export class FrontDoor implements OnModuleInit {
  private readonly gate: LoadGate;
  private readonly loopDelay: LoopDelay;

  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(tokens.CONFIG) config: CommonConfig & SpecApiConfig,
    @Inject(ServiceState) private readonly state: ServiceState,
  ) {
    const clock: Clock = systemClock;
    this.loopDelay = new LoopDelay(clock);
    this.gate = new LoadGate(
      {
        maxReads: config.DAVIT_MAX_READS,
        maxIntents: config.DAVIT_MAX_INTENTS,
        maxLoopDelayMs: config.DAVIT_MAX_LOOP_DELAY,
      },
      () => this.loopDelay.ms,
    );
  }

  onModuleInit(): void {
    const http = this.host.httpAdapter.getInstance<FastifyInstance>();
    this.loopDelay.start();
    this.state.stopping.addEventListener('abort', () => this.loopDelay.stop());
    http.addHook('onRequest', (request, reply, done) => {
      try {
        this.enter(request, reply);
        done();
      } catch (error) {
        done(error as Error); // `enter` throws problems only
      }
    });
    answerConditionally(http);
  }

  private enter(request: FastifyRequest, reply: FastifyReply): void {
    const [path = ''] = request.url.split('?');
    if (!path.startsWith('/v1/')) return;
    const types = path === STREAM ? ['text/event-stream', 'application/problem+json'] : undefined;
    if (!isAcceptable(request.headers.accept, types)) throw notAcceptable(types ?? ['application/json']);
    // A stream lasts for hours, and streams have a limit of their own.
    if (path === STREAM) return;
    const admission = this.gate.admit(classOf(request.method, path));
    if (!admission.admitted)
      throw new ProblemError(503, 'overloaded', 'Too much to do', `Send it again in a second: ${admission.why}.`);
    reply.raw.once('close', admission.leave);
  }
}

const classOf = (method: string, path: string): LoadClass =>
  method === 'POST' && path.startsWith('/v1/intents/') ? 'intent' : 'read';

const notAcceptable = ([type = '']: readonly string[]): ProblemError =>
  new ProblemError(
    406,
    'not-acceptable',
    'No answer that the client takes',
    `This path answers with ${type}; send Accept: ${type}, or none.`,
  );
