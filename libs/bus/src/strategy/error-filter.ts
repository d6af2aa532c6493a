import { type ArgumentsHost, Catch, type RpcExceptionFilter } from '@nestjs/common';
import { RpcException } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

/**
 * Hands the error of a bus handler to the transport as it is, so that logs and dead letters name the real reason.
 * Without it Nest replaces every message by "Internal server error". Use on controllers: `@UseFilters(BusErrorFilter)`.
 */
@Catch()
export class BusErrorFilter implements RpcExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): Observable<never> {
    if (host.getType() !== 'rpc') throw exception;
    return throwError(() => (exception instanceof RpcException ? exception.getError() : exception));
  }
}
