import { type AnswerOf, type BodyOf, type ParamsOf, operations } from '@davit/contracts';
import { type KeyState, includes, includesTenants } from '@davit/domain';
import { type ServicePorts, tokens } from '@davit/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { badRequest } from '../operations/bad-request.js';
import { ReadBody, ReadParams } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { keyView } from '../views/key-view.js';
import { type KeyHolder, KeyRing } from './key-ring.js';
import { forbidden } from './problems.js';

/** API keys. A secret is shown when it is made, and never again; nobody hands out more than they have. */
@Controller()
export class KeysController {
  constructor(
    @Inject(KeyRing) private readonly keys: KeyRing,
    @Inject(tokens.SERVICE_PORTS) private readonly ports: Pick<ServicePorts, 'clock'>,
  ) {}

  @Serves(operations.listKeys)
  async list(@Asked() asking: Asking): Promise<AnswerOf<typeof operations.listKeys>> {
    const { model, position, nowMs } = await asking.view();
    const found = await model.list<KeyState>('key');
    return { position, items: found.map((stored) => keyView(stored.document, stored.position, nowMs)) };
  }

  @Serves(operations.createKey)
  async create(
    @Asked() { principal }: Asking,
    @ReadBody() wanted: BodyOf<typeof operations.createKey>,
  ): Promise<AnswerOf<typeof operations.createKey>> {
    if (!includes(principal, wanted)) {
      throw forbidden('A key may do no more than whoever makes it, and reaches no further than their tenants.');
    }
    if (wanted.expiresAt !== null && Date.parse(wanted.expiresAt) <= this.ports.clock.nowMs()) {
      throw badRequest([
        { path: 'expiresAt', message: 'is not in the future', remedy: 'Write a later instant, or leave it out.' },
      ]);
    }
    return this.keys.create(wanted, principal.actor);
  }

  @Serves(operations.rotateKey)
  rotate(
    @Asked() asking: Asking,
    @ReadParams() { id }: ParamsOf<typeof operations.rotateKey>,
    @ReadBody() { overlapSeconds }: BodyOf<typeof operations.rotateKey>,
  ): Promise<AnswerOf<typeof operations.rotateKey>> {
    return this.keys.rotate(id, overlapSeconds * 1_000, holderOf(asking));
  }

  @Serves(operations.revokeKey)
  revoke(
    @Asked() asking: Asking,
    @ReadParams() { id }: ParamsOf<typeof operations.revokeKey>,
    @ReadBody() { reason }: BodyOf<typeof operations.revokeKey>,
  ): Promise<AnswerOf<typeof operations.revokeKey>> {
    return this.keys.revoke(id, reason, holderOf(asking));
  }
}

/** A key of a tenant that is not theirs does not exist for them. */
const holderOf = ({ principal }: Asking): KeyHolder => ({
  actor: principal.actor,
  mayChange: ({ tenants }) => includesTenants(principal, tenants),
});
