import { type ExecutionContext, Inject, Injectable, type PipeTransform, createParamDecorator } from '@nestjs/common';
import type { Asking } from './asking.js';
import { LOCAL_PRINCIPAL, type Principal } from './principal.js';
import { Views } from './views.js';

/** A request as it came through the guards; one that says who asks sets `principal`. */
export interface AskedRequest {
  readonly principal?: Principal;
}

@Injectable()
class AskingPipe implements PipeTransform<AskedRequest, Asking> {
  constructor(@Inject(Views) private readonly views: Views) {}

  transform({ principal = LOCAL_PRINCIPAL }: AskedRequest): Asking {
    return this.views.asking(principal);
  }
}

const Request = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<AskedRequest>(),
);

/** Gives a handler the question: who asks, and what there is to see for them. */
export const Asked = (): ParameterDecorator => Request(AskingPipe);
