import {
  EVENT_DEFINITIONS,
  type FieldProblem,
  type WebhookView,
  createWebhookRequest,
  describeIssues,
  redeliverRequest,
  removeWebhookRequest,
  webhookId,
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
import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { type Query as Parameters, onlyKnown, oneOf } from '../queries/parameters.js';
import type { Listing } from '../queries/queries.controller.js';
import type { SpecApiConfig } from '../spec-api-config.js';
import { signingKey } from './signature.js';
import { WebhookOrders } from './webhook-orders.js';
import { webhookView } from './webhook-view.js';

/** Who is sent events over HTTP, and how it goes. */
@Controller('v1/webhooks')
export class WebhooksController {
  private readonly orders: WebhookOrders;

  constructor(
    @Inject(tokens.SERVICE_PORTS) private readonly ports: ServicePorts,
    @Inject(tokens.CONFIG) private readonly config: CommonConfig & SpecApiConfig,
  ) {
    this.orders = new WebhookOrders(ports);
  }

  /** Removed ones are listed with `?all=true`. */
  @Get()
  async list(@Asked() asking: Asking, @Query() query: Parameters): Promise<Listing<WebhookView>> {
    onlyKnown(query, ['all', 'at']);
    const all = oneOf(query, 'all', ['true', 'false']) === 'true';
    const { model, position } = await asking.view();
    const found = await model.list<WebhookState>('webhook');
    const items = found
      .filter(({ document }) => all || document.status !== 'removed')
      .map((stored) => webhookView(stored.document, stored.position));
    return { position, items };
  }

  @Get(':id')
  async one(@Asked() asking: Asking, @Param('id') id: string): Promise<WebhookView> {
    const webhook = await this.orders.present(known(id));
    if (!webhook || !includesTenants(asking.principal, webhook.tenants)) throw notFound(id);
    return webhookView(webhook, await this.ports.log.head());
  }

  @Post()
  @HttpCode(201)
  async create(
    @Asked() { principal }: Asking,
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<WebhookView> {
    const wanted = readBody(createWebhookRequest, body);
    const problems = this.problemsOf(wanted);
    if (problems.length > 0) throw invalid(problems);
    if (!includesTenants(principal, wanted.tenants)) {
      const detail = 'A webhook is sent no more than whoever registers it may see; name tenants of your own.';
      throw new ProblemError(403, 'forbidden', 'Not permitted', detail);
    }
    const webhook = await this.orders.create(wanted, { actor: principal.actor, idempotencyKey });
    return webhookView(webhook, await this.ports.log.head());
  }

  @Post(':id/remove')
  @HttpCode(200)
  remove(@Asked() asking: Asking, @Param('id') id: string, @Body() body: unknown): Promise<WebhookView> {
    const { reason } = readBody(removeWebhookRequest, body);
    return this.order(asking, id, (webhook) => removeWebhook(webhook, reason));
  }

  @Post(':id/resume')
  @HttpCode(200)
  resume(@Asked() asking: Asking, @Param('id') id: string): Promise<WebhookView> {
    return this.order(asking, id, resumeWebhook);
  }

  @Post(':id/redeliver')
  @HttpCode(200)
  redeliver(@Asked() asking: Asking, @Param('id') id: string, @Body() body: unknown): Promise<WebhookView> {
    const { positions } = readBody(redeliverRequest, body ?? {});
    return this.order(asking, id, (webhook) => redeliver(webhook, positions));
  }

  private async order(
    { principal }: Asking,
    id: string,
    decide: (webhook: WebhookState) => WebhookDecision,
  ): Promise<WebhookView> {
    const webhook = await this.orders.order(known(id), principal.actor, (present) => {
      if (!includesTenants(principal, present.tenants)) throw notFound(id);
      return decide(present);
    });
    if (!webhook) throw notFound(id);
    return webhookView(webhook, await this.ports.log.head());
  }

  private problemsOf({ url, filter, secret }: z.output<typeof createWebhookRequest>): readonly FieldProblem[] {
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

function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalid(describeIssues(parsed.error.issues, schema, body));
}

const invalid = (problems: readonly FieldProblem[]): ProblemError =>
  new ProblemError(
    422,
    'invalid-request',
    'The request is not valid',
    problems.map(({ path, message }) => `${path} ${message}`).join('; '),
    problems,
  );

function known(id: string): string {
  if (!webhookId.safeParse(id).success) throw notFound(id);
  return id;
}

const notFound = (id: string): ProblemError =>
  new ProblemError(404, 'not-found', 'Not found', `There is no webhook ${JSON.stringify(id.slice(0, 60))}.`);
