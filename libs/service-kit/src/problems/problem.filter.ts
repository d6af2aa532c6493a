import { BusErrorFilter } from '@davit/bus';
import type { Clock, Logger } from '@davit/ports';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { RouteTable } from '../http/route-table.js';
import { PROBLEM_MEDIA_TYPE, ProblemError, problemDocumentOf } from './problem-error.js';
import { TurnedAway } from './turned-away.js';

/** The parts of a Fastify reply that the filter uses. */
export interface Reply {
  readonly sent: boolean;
  readonly request: { readonly url: string; readonly method: string };
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}

/** Seconds after which whoever was answered 503 may ask again. */
const RETRY_AFTER_S = 1;

/**
 * Turns whatever a handler throws into an RFC 9457 problem document. Defects tell the caller nothing of the inside.
 * Errors of bus handlers go to the transport as they are: it decides on retry, dead letter or answer.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly bus = new BusErrorFilter();
  private readonly turnedAway: TurnedAway;

  constructor(
    private readonly logger: Logger,
    private readonly routes = new RouteTable(),
    clock?: Pick<Clock, 'nowMs'>,
  ) {
    this.turnedAway = new TurnedAway(logger, clock);
  }

  catch(error: unknown, host: ArgumentsHost): Observable<never> | undefined {
    if (host.getType() === 'rpc') return this.bus.catch(error, host);
    this.answer(error, host.switchToHttp().getResponse<Reply>());
    return undefined;
  }

  /** Answers what went wrong before or in a handler. */
  answer(error: unknown, reply: Reply): void {
    const { method, url } = reply.request;
    const [path = ''] = url.split('?');
    const problem = this.asProblem(error, method, path);
    if (problem.status >= 500) this.report(error, problem, { method, path });
    if (reply.sent) return;
    // RFC 9110, section 15.5.6: a refused method is told together with those that are answered.
    if (problem.status === 405) void reply.header('allow', this.routes.methodsAt(path).join(', '));
    if (problem.status === 503) void reply.header('retry-after', String(RETRY_AFTER_S));
    void reply
      .code(problem.status)
      .header('content-type', PROBLEM_MEDIA_TYPE)
      .send(JSON.stringify(problemDocumentOf(problem, path.slice(0, 200))));
  }

  /** A problem that was thrown as one was foreseen; everything else is a fault. */
  private report(
    error: unknown,
    problem: ProblemError,
    request: { readonly method: string; readonly path: string },
  ): void {
    if (error instanceof ProblemError) this.turnedAway.tell(problem, request);
    else this.logger.error({ err: error, ...request }, 'request failed');
  }

  private asProblem(error: unknown, method: string, path: string): ProblemError {
    const isUnrouted = !(error instanceof ProblemError) && statusOf(error) === 404;
    const methods = isUnrouted ? this.routes.methodsAt(path) : [];
    if (methods.length === 0) return asProblem(error, method, path);
    const detail = `${method} is not answered at ${path.slice(0, 200)}; ${methods.join(' and ')} is.`;
    return new ProblemError(405, 'method-not-allowed', 'The method is not answered here', detail);
  }
}

function asProblem(error: unknown, method: string, path: string): ProblemError {
  if (error instanceof ProblemError) return error;
  const status = statusOf(error);
  const detail = error instanceof Error ? error.message : '';
  switch (status) {
    case 404:
      return new ProblemError(404, 'not-found', 'Not found', `Nothing answers ${method} ${path.slice(0, 200)}.`);
    case 413:
      return new ProblemError(413, 'payload-too-large', 'The body is too large', 'At most 1 MiB is accepted.');
    case 414:
      return new ProblemError(
        414,
        'address-too-long',
        'A part of the address is too long',
        'Names have at most 100 characters; filters belong behind the question mark.',
      );
    case 415:
      return new ProblemError(
        415,
        'unsupported-media-type',
        'The content type is not accepted',
        'Send the body with content-type: application/json.',
      );
    case 503:
      return new ProblemError(503, 'unavailable', 'Not available now', detail);
    default:
      if (status < 500) return new ProblemError(status, 'bad-request', 'The request is not valid', detail);
      return (
        unavailable(error) ??
        new ProblemError(500, 'internal', 'Internal error', 'The log of the service has the cause.')
      );
  }
}

/** Faults that pass: the request may be sent again, with the same idempotency key where it changes something. */
const PASSING: Readonly<Record<string, string>> = {
  'log-unavailable': 'The event log did not answer',
  'audit-inconclusive': 'The projection changed too fast to be compared',
};

function unavailable(error: unknown): ProblemError | undefined {
  const code = databaseFault(error) ? 'log-unavailable' : codeOf(error);
  const title = code === undefined ? undefined : PASSING[code];
  if (code === undefined || title === undefined) return undefined;
  return new ProblemError(503, code, title, 'Send the request again later.');
}

/** SQLSTATE classes of trouble with the server, not with the statement: connection, resources, operator, system. */
const SERVER_TROUBLE = /^(?:08|53|57|58)...$/;
const NO_CONNECTION = /^E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(?:HOST|NET)UNREACH|NOTFOUND|AI_AGAIN)$/;
/** What the driver throws, without a code, when a connection ends or none is free in time. */
const DRIVER_TEXT =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/;

/** True for what passes when the database is back, has space or has a connection to give. */
function databaseFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === undefined) return DRIVER_TEXT.test(error.message);
  return 'severity' in error ? SERVER_TROUBLE.test(code) : NO_CONNECTION.test(code);
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number') {
    return error.statusCode;
  }
  return 500;
}

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
