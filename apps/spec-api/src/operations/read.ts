import type { OperationDefinition, SentQuery } from '@davit/contracts';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { bodyOf, paramsOf, queryOf } from './reading.js';
import { operationOf } from './serves.js';

/** The parts of a Fastify request that are read here. */
interface Request {
  readonly query: SentQuery;
  readonly params: unknown;
  readonly body: unknown;
}

/** Parameter of a handler: the query, as `QueryOf` the operation that it serves. */
export const ReadQuery = createParamDecorator((_: unknown, context: ExecutionContext) =>
  queryOf(servedIn(context), requestIn(context).query),
);

/** Parameter of a handler: the parts of the path, as `ParamsOf` the operation that it serves. */
export const ReadParams = createParamDecorator((_: unknown, context: ExecutionContext) =>
  paramsOf(servedIn(context), requestIn(context).params),
);

/** Parameter of a handler: the body, as `BodyOf` the operation that it serves. */
export const ReadBody = createParamDecorator((_: unknown, context: ExecutionContext) =>
  bodyOf(servedIn(context), requestIn(context).body),
);

const requestIn = (context: ExecutionContext): Request => context.switchToHttp().getRequest<Request>();

/** The operation that the handler under way serves. */
export function servedIn(context: ExecutionContext): OperationDefinition {
  const operation = operationOf(context.getHandler());
  if (operation) return operation;
  throw new Error(
    `${context.getClass().name}.${context.getHandler().name} serves no operation; decorate it with Serves`,
  );
}
