import { type ExecutionContext, Inject, Injectable, type PipeTransform, createParamDecorator } from '@nestjs/common';
import type { Asking } from './asking.js';
import type { Principal } from './principal.js';
import { Views } from './views.js';

/** A request as it came through the door, which sets `principal`. */
export interface AskedRequest {
  readonly principal?: Principal;
}

@Injectable()
class AskingPipe implements PipeTransform<AskedRequest, Asking> {
  constructor(@Inject(Views) private readonly views: Views) {}

  transform({ principal }: AskedRequest): Asking {
    if (!principal) throw new Error('a question came in that nobody asked at the door who asks it');
    return this.views.asking(principal);
  }
}

const Request = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<AskedRequest>(),
);

/** Gives a handler the question: who asks, and what there is to see for them. */
export const Asked = (): ParameterDecorator => Request(AskingPipe);
