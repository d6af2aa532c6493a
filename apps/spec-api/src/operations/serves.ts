import { type AnswerOf, type OperationDefinition, successOf } from '@davit/contracts';
import { HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';

const OPERATION = 'davit:operation';

/**
 * Makes a handler the one that serves an operation: method, path and status of success are the operation's, and the compiler
 * holds what the handler gives back against its answer. Controllers that use it have no path of their own.
 */
export const Serves =
  <const Definition extends OperationDefinition>(operation: Definition) =>
  <Handler extends (...parts: never[]) => AnswerOf<Definition> | Promise<AnswerOf<Definition>> | Promise<void>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    RequestMapping({ method: RequestMethod[operation.method], path: routeOf(operation) })(target, key, descriptor);
    HttpCode(successOf(operation))(target, key, descriptor);
    SetMetadata(OPERATION, operation)(target, key, descriptor);
  };

/** `/v1/deployments/{tenant}/{name}` as Nest writes it: `v1/deployments/:tenant/:name`. */
export const routeOf = ({ path }: Pick<OperationDefinition, 'path'>): string =>
  path.slice(1).replace(/\{(\w+)\}/g, ':$1');

/** The operation that a handler serves; nothing for handlers of health and metrics, which are no part of the contract. */
export const operationOf = (handler: object): OperationDefinition | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationDefinition | undefined; // what `Serves` put there
