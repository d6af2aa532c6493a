import {
  type AnswerOf,
  type BodyOf,
  EVENT_DEFINITIONS,
  type FieldProblem,
  type ParamsOf,
  type QueryOf,
  type WebhookView,
  operations,
} from '@davit/contracts';
import {
  type WebhookDecision,
  type WebhookState,
  includesTenants,
  redeliver,
  removeWebhook,
  resumeWebhook,
  targetObjection,
} from '@davit/domain';
import { type CommonConfig, ProblemError, type ServicePorts, tokens } from '@davit/service-kit';
import { Controller, Headers, Inject } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadBody, ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { found } from '../queries/existing.js';
import type { SpecApiConfig } from '../spec-api-config.js';
import { signingKey } from './signature.js';
import { WebhookOrders } from './webhook-orders.js';
import { webhookView } from './webhook-view.js';

/** Who is sent events over HTTP, and how it goes. */
@Controller()
export class WebhooksController {
  private readonly orders: WebhookOrders;

  constructor(
    @Inject(tokens.SERVICE_PORTS) private readonly ports: ServicePorts,
    @Inject(tokens.CONFIG) private readonly config: CommonConfig & SpecApiConfig,
  ) {
    this.orders = new WebhookOrders(ports);
  }

  @Serves(operations.listWebhooks)
  async list(
    @Asked() asking: Asking,
    @ReadQuery() { all }: QueryOf<typeof operations.listWebhooks>,
  ): Promise<AnswerOf<typeof operations.listWebhooks>> {
    const { model, position } = await asking.view();
    const found = await model.list<WebhookState>('webhook');
    const items = found
      .filter(({ document }) => all || document.status !== 'removed')
      .map((stored) => webhookView(stored.document, stored.position));
    return { position, items };
  }

  @Serves(operations.getWebhook)
  async one(@Asked() { principal }: Asking, @ReadParams() { id }: OneWebhook): Promise<WebhookView> {
    const webhook = await this.orders.present(id);
    return this.shown(
      found(webhook && includesTenants(principal, webhook.tenants) ? webhook : undefined, 'webhook', id),
    );
  }

  @Serves(operations.createWebhook)
  async create(
    @Asked() { principal }: Asking,
    @ReadBody() wanted: BodyOf<typeof operations.createWebhook>,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<WebhookView> {
    const problems = this.problemsOf(wanted);
    if (problems.length > 0) throw invalid(problems);
    if (!includesTenants(principal, wanted.tenants)) {
      const detail = 'A webhook is sent no more than whoever registers it may see; name tenants of your own.';
      throw new ProblemError(403, 'forbidden', 'Not permitted', detail);
    }
    return this.shown(await this.orders.create(wanted, { actor: principal.actor, idempotencyKey }));
  }

  @Serves(operations.removeWebhook)
  remove(
    @Asked() asking: Asking,
    @ReadParams() { id }: OneWebhook,
    @ReadBody() { reason }: BodyOf<typeof operations.removeWebhook>,
  ): Promise<WebhookView> {
    return this.order(asking, id, (webhook) => removeWebhook(webhook, reason));
  }

  @Serves(operations.resumeWebhook)
  resume(@Asked() asking: Asking, @ReadParams() { id }: OneWebhook): Promise<WebhookView> {
    return this.order(asking, id, resumeWebhook);
  }

  @Serves(operations.redeliverToWebhook)
  redeliver(
    @Asked() asking: Asking,
    @ReadParams() { id }: OneWebhook,
    @ReadBody() { positions }: BodyOf<typeof operations.redeliverToWebhook>,
  ): Promise<WebhookView> {
    return this.order(asking, id, (webhook) => redeliver(webhook, positions));
  }

  private async order(
    { principal }: Asking,
    id: string,
    decide: (webhook: WebhookState) => WebhookDecision,
  ): Promise<WebhookView> {
    const webhook = await this.orders.order(id, principal.actor, (present) => {
      found(includesTenants(principal, present.tenants) || undefined, 'webhook', id);
      return decide(present);
    });
    return this.shown(found(webhook, 'webhook', id));
  }

  private shown = async (webhook: WebhookState): Promise<WebhookView> =>
    webhookView(webhook, await this.ports.log.head());

  private problemsOf({ url, filter, secret }: BodyOf<typeof operations.createWebhook>): readonly FieldProblem[] {
    const target = targetObjection(url, this.config.DAVIT_WEBHOOK_HTTP_HOSTS);
    const types = EVENT_DEFINITIONS.map(({ type }) => type);
    const unknown = filter.types?.findIndex((type) => !types.some((one) => one === type)) ?? -1;
    return [
      ...(target ? [{ path: 'url', ...target }] : []),
      ...(unknown === -1
        ? []
        : [
            {
              path: `filter.types[${unknown}]`,
              message: 'is no event there is',
              remedy: 'See the reference of events.',
            },
          ]),
      ...(signingKey(process.env[secret.env] ?? '')
        ? []
        : [
            {
              path: 'secret.env',
              message: `${secret.env} holds no signing secret where spec-api runs`,
              remedy: 'Set it to whsec_ and 24 to 64 random bytes in base64, and restart spec-api.',
            },
          ]),
    ];
  }
}

type OneWebhook = ParamsOf<typeof operations.getWebhook>;

const invalid = (problems: readonly FieldProblem[]): ProblemError =>
  new ProblemError(
    422,
    'invalid-request',
    'The request is not valid',
    problems.map(({ path, message }) => `${path} ${message}`).join('; '),
    problems,
  );
