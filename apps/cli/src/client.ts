import {
  type AlarmView,
  type CapacityHistory,
  type CostView,
  type CreateKeyRequest,
  type KeySecret,
  type KeyView,
  type BudgetView,
  type DeletionPlan,
  type DeploymentAnswer,
  type DeploymentView,
  type DiffView,
  type DoctorCheck,
  type ExplainView,
  type FleetView,
  type IntentKind,
  type IntentVerb,
  type OffersAnswer,
  type OrderAnswer,
  type OrphanView,
  type PlanView,
  type ProblemDocument,
  type ReplayRequest,
  type ReplayView,
  type ReplicaView,
  type RolloutPage,
  type RolloutReceipt,
  type RolloutView,
  type RouteView,
  type WhatIfRequest,
  type WhatIfView,
  alarmView,
  capacityHistory,
  costView,
  budgetView,
  deletionPlan,
  deploymentAnswer,
  deploymentView,
  diffView,
  doctorAnswer,
  explainView,
  fleetView,
  keySecret,
  keyView,
  offersAnswer,
  orderAnswer,
  orphanView,
  planView,
  problemDocument,
  replayView,
  replicaView,
  rolloutPage,
  rolloutReceipt,
  rolloutView,
  routeView,
  whatIfView,
  counted,
} from '@davit/contracts';
import { z } from 'zod';
import { CommandError, exitCodes } from './exit-codes.js';
import { isPosition } from './instants.js';

const eventPage = z.object({ items: z.array(z.unknown()), head: z.int() });
export type EventPage = z.infer<typeof eventPage>;

const exportedPage = z.object({
  items: z.array(z.looseObject({ position: z.int(), time: z.string(), type: z.string(), subject: z.string() })),
  next: z.int(),
  head: z.int(),
});
type ExportedPage = z.infer<typeof exportedPage>;

const listOf = <Row extends z.ZodType>(row: Row) => z.object({ items: z.array(row), position: z.int() });

const EVENTS = '/v1/events';
const PAST =
  'error  the past is only looked at: leave out "at" for what changes something or plans. Nothing was changed.';

/** Speaks Davit's HTTP API. Every fault becomes a {@link CommandError} that names the remedy. */
export class DavitClient {
  /** @param at every question is asked as of this position or time; nothing can be changed then */
  constructor(
    readonly baseUrl: string,
    private readonly timeoutMs = 30_000,
    private readonly at?: string,
    /** API key or token; none where the server asks nobody. */
    private readonly key?: string,
  ) {}

  async apply(body: { deployment: unknown; idempotencyKey?: string; actor?: string }): Promise<DeploymentAnswer> {
    return deploymentAnswer.parse(await this.intent('deployment', 'apply', body));
  }
  async onDeployment(
    verb: Exclude<IntentVerb<'deployment'>, 'apply'>,
    body: { name: string; tenant: string; actor?: string; replicas?: number; reason?: string },
  ): Promise<DeploymentAnswer> {
    return deploymentAnswer.parse(await this.intent('deployment', verb, body));
  }
  async thaw(body: { reason: string; actor?: string }): Promise<OrderAnswer> {
    return orderAnswer.parse(await this.intent('fleet', 'thaw', body));
  }
  async reap(body: { orphan: string; reason: string; actor?: string }): Promise<OrderAnswer> {
    return orderAnswer.parse(await this.intent('orphan', 'reap', body));
  }
  async onRollout(
    verb: IntentVerb<'rollout'>,
    body: { rollout: string; evidenceDigest?: string; reason: string; actor?: string },
  ): Promise<OrderAnswer> {
    return orderAnswer.parse(await this.intent('rollout', verb, body));
  }
  async keys(): Promise<readonly KeyView[]> {
    return listOf(keyView).parse(await this.send('GET', '/v1/keys')).items;
  }
  async createKey(wanted: CreateKeyRequest): Promise<KeySecret> {
    return keySecret.parse(await this.send('POST', '/v1/keys', wanted));
  }
  async rotateKey(id: string, overlapSeconds: number): Promise<KeySecret> {
    const path = `/v1/keys/${encodeURIComponent(id)}/rotate`;
    return keySecret.parse(await this.send('POST', path, { overlapSeconds }));
  }
  async revokeKey(id: string, reason: string): Promise<KeyView> {
    const path = `/v1/keys/${encodeURIComponent(id)}/revoke`;
    return z.object({ key: keyView }).parse(await this.send('POST', path, { reason })).key;
  }
  /** Every page of them; with `all`, also those that are over. */
  async rollouts(deployment?: string, all = false): Promise<readonly RolloutView[]> {
    const rows: RolloutView[] = [];
    for (let after: string | null = ''; after !== null;) {
      const named = Object.entries({ deployment, after }).filter((entry): entry is [string, string] => !!entry[1]);
      const query = new URLSearchParams([['all', String(all)], ...named]).toString();
      const page: RolloutPage = rolloutPage.parse(await this.send('GET', `/v1/rollouts?${query}`));
      rows.push(...page.items);
      after = page.next;
    }
    return rows;
  }
  /** @param id `<tenant>/<name>-<revision>-<attempt>` */
  async rollout(id: string): Promise<RolloutView> {
    const path = id.split('/').map(encodeURIComponent).join('/');
    return rolloutView.parse(await this.send('GET', `/v1/rollouts/${path}`));
  }
  async receipt(id: string): Promise<RolloutReceipt> {
    const path = id.split('/').map(encodeURIComponent).join('/');
    return rolloutReceipt.parse(await this.send('GET', `/v1/rollouts/${path}/receipt`));
  }
  /** What is wrong about the budget is for the server to say. */
  async setBudget(body: { tenant: string; budget: unknown; actor?: string }): Promise<OrderAnswer> {
    return orderAnswer.parse(await this.intent('tenant', 'set-budget', body));
  }
  async clearBudget(body: { tenant: string; actor?: string }): Promise<OrderAnswer> {
    return orderAnswer.parse(await this.intent('tenant', 'clear-budget', body));
  }
  async budgets(tenant?: string): Promise<readonly BudgetView[]> {
    const query = new URLSearchParams(tenant === undefined ? {} : { tenant });
    return listOf(budgetView).parse(await this.send('GET', `/v1/budgets?${query.toString()}`)).items;
  }
  async plan(deployment: unknown): Promise<PlanView> {
    return planView.parse(await this.send('POST', '/v1/plan', { deployment }));
  }
  async planDeletion(body: { name: string; tenant: string }): Promise<DeletionPlan> {
    return deletionPlan.parse(await this.send('POST', '/v1/plan/delete', body));
  }
  /** With `all`, also those that are proven gone. */
  async deployments(all = false): Promise<readonly DeploymentView[]> {
    return listOf(deploymentView).parse(await this.send('GET', `/v1/deployments?all=${all}`)).items;
  }
  /** Undefined when there is none of this name. */
  async deployment(tenant: string, name: string): Promise<DeploymentView | undefined> {
    const answer = await this.exchange('GET', `/v1/deployments/${[tenant, name].map(encodeURIComponent).join('/')}`);
    if (answer.status === 404) return undefined;
    return deploymentView.parse(expectSuccess(answer));
  }
  /** With `all`, also those that are proven gone. */
  async replicas(deployment?: string, all = false): Promise<readonly ReplicaView[]> {
    const query = new URLSearchParams({ all: String(all), ...(deployment === undefined ? {} : { deployment }) });
    return listOf(replicaView).parse(await this.send('GET', `/v1/replicas?${query.toString()}`)).items;
  }
  async routes(): Promise<readonly RouteView[]> {
    return listOf(routeView).parse(await this.send('GET', '/v1/routes')).items;
  }
  /** With `all`, also those that are dealt with. */
  async orphans(all = false): Promise<readonly OrphanView[]> {
    return listOf(orphanView).parse(await this.send('GET', `/v1/orphans?all=${all}`)).items;
  }
  async alarms(): Promise<readonly AlarmView[]> {
    return listOf(alarmView).parse(await this.send('GET', '/v1/alarms')).items;
  }
  async fleet(): Promise<FleetView> {
    return fleetView.parse(await this.send('GET', '/v1/fleet'));
  }
  /** A page of what the log says of offers; `next` of the answer is `after` of the following question. */
  async capacityHistory(query: Readonly<Record<string, string>>): Promise<CapacityHistory> {
    const text = new URLSearchParams(query).toString();
    return capacityHistory.parse(await this.send('GET', `/v1/capacity/history?${text}`));
  }
  async offers(query: Readonly<Record<string, string>>): Promise<OffersAnswer> {
    const text = new URLSearchParams(query).toString();
    return offersAnswer.parse(await this.send('GET', `/v1/capacity/offers?${text}`));
  }
  /** What was spent; see `GET /v1/cost` for the parameters. */
  async cost(query: Readonly<Record<string, string>>): Promise<CostView> {
    return costView.parse(await this.send('GET', `/v1/cost?${new URLSearchParams(query).toString()}`));
  }
  /** A page of a story; `path` stands below `/v1/explain/`, and `next` of the answer is `after` of the following question. */
  async explain(path: string, query: Readonly<Record<string, string>>, after: number): Promise<ExplainView> {
    const text = new URLSearchParams({ ...query, after: String(after) }).toString();
    return explainView.parse(await this.send('GET', `/v1/explain/${path}?${text}`));
  }
  async whatIf(request: WhatIfRequest): Promise<WhatIfView> {
    return whatIfView.parse(await this.send('POST', '/v1/whatif', request));
  }
  /** What is other at the second of two moments; `to` is now where nothing is said. */
  async diff(query: Readonly<Record<string, string>>): Promise<DiffView> {
    return diffView.parse(await this.send('GET', `/v1/diff?${new URLSearchParams(query).toString()}`));
  }
  /** The time that a position of the log stands for. */
  async timeOf(position: string): Promise<number> {
    return Date.parse((await this.diff({ from: position, to: position, limit: '1' })).to.at);
  }
  async replay(request: ReplayRequest): Promise<ReplayView> {
    return replayView.parse(await this.send('POST', '/v1/replay', request));
  }
  async doctor(): Promise<readonly DoctorCheck[]> {
    return doctorAnswer.parse(await this.send('GET', '/v1/doctor')).checks;
  }
  async events(after: number, limit: number, category?: string): Promise<readonly unknown[]> {
    return (await this.page(after, limit, category)).items;
  }
  /** Events after a position, with the position of the last event that there is. */
  async page(after: number, limit: number, category?: string): Promise<EventPage> {
    const query = new URLSearchParams({
      after: String(after),
      limit: String(limit),
      ...(category === undefined ? {} : { category }),
    });
    return eventPage.parse(await this.send('GET', `${EVENTS}?${query.toString()}`));
  }
  /** A page of whole events; `next` of the answer is `after` of the following question. */
  async exportPage(query: Readonly<Record<string, string | number>>): Promise<ExportedPage> {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    return this.asOfThen(exportedPage.parse(await this.send('GET', `${EVENTS}?${text.toString()}`)));
  }
  /** The event stream from a position on, as server-sent events. */
  async openStream(
    after: number,
    category: string | undefined,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const query = new URLSearchParams({ after: String(after), ...(category === undefined ? {} : { category }) });
    const address = new URL(`/v1/events/stream?${query.toString()}`, this.baseUrl);
    const headers = this.credentials();
    const response = await fetch(address, { signal, headers }).catch(unreachable(this.baseUrl));
    if (response.status === 401 || response.status === 403)
      throw refusal(problemOf(response.status, await response.text()));
    if (!response.ok || !response.body)
      throw new CommandError(exitCodes.failure, `the event stream answered ${response.status}`);
    return response.body;
  }

  private async intent<Kind extends IntentKind>(kind: Kind, verb: IntentVerb<Kind>, body: unknown): Promise<unknown> {
    const answer = await this.exchange('POST', `/v1/intents/${kind}/${verb}`, body);
    if (answer.problem) throw refusal(answer.problem, answer.problem.status < 500 ? UNCHANGED : UNKNOWN);
    return answer.body;
  }

  private async send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    return expectSuccess(await this.exchange(method, path, body), method === 'GET' ? undefined : UNCHANGED);
  }

  /** Of what was written later nothing is told: where it begins the page ends, and no other follows. */
  private asOfThen(page: ExportedPage): ExportedPage {
    const { at } = this;
    if (at === undefined) return page;
    const items = page.items.filter(({ position, time }) =>
      isPosition(at) ? position <= Number(at) : Date.parse(time) <= Date.parse(at),
    );
    return items.length === page.items.length ? page : { ...page, items, next: 0 };
  }

  private credentials(): Readonly<Record<string, string>> {
    return this.key === undefined ? {} : { authorization: `Bearer ${this.key}` };
  }

  /** What only reads is asked twice: a server that closes an idle connection cannot know of a request on its way. */
  private ask(method: string, path: string, body?: unknown): Promise<Response> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const headers = { ...this.credentials(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const content = { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const url = new URL(path, this.baseUrl);
    if (this.at !== undefined) {
      if (method !== 'GET') throw new CommandError(exitCodes.badInput, PAST);
      // An event is what it was at any moment.
      if (url.pathname !== EVENTS) url.searchParams.set('at', this.at);
    }
    const once = (): Promise<Response> => fetch(url, { method, signal, ...content });
    return method === 'GET' ? once().catch(once) : once();
  }

  private async exchange(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.ask(method, path, body).catch(unreachable(this.baseUrl));
    const text = await response.text().catch(unreachable(this.baseUrl));
    const { status } = response;
    if (response.ok) return { status, body: parseJson(text), problem: undefined };
    return { status, body: parseJson(text), problem: problemOf(status, text) };
  }
}

function problemOf(status: number, text: string): ProblemDocument {
  const problem = problemDocument.safeParse(parseJson(text));
  if (problem.success) return problem.data;
  return { type: 'about:blank', title: `HTTP ${status}`, status, code: 'unexpected', detail: text.slice(0, 300) };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly problem: ProblemDocument | undefined;
}

function expectSuccess(answer: Answer, effect?: string): unknown {
  if (answer.problem) throw refusal(answer.problem, effect);
  return answer.body;
}

const UNCHANGED = 'Nothing was changed.';
/** A server that broke down over an intent may have written it before. */
const UNKNOWN = 'Whether it took effect is not known; the same command again is safe.';

/** What whoever asks can do about it. */
const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Put an API key into a file and name it in DAVIT_API_KEY_FILE; an administrator makes one: davit keys create.',
  403: 'Ask an administrator for a key with the role and the tenants that this needs: davit keys create.',
};

/** @param effect what became of what was asked for; nothing where it was only a question */
function refusal(problem: ProblemDocument, effect?: string): CommandError {
  const badInput = problem.status === 400 || problem.status === 413 || problem.status === 422;
  const whole = badInput ? '(the document): ' : '';
  const lines = (problem.errors ?? []).map(
    ({ path, message, remedy }) => `error  ${path === '' ? whole : `${path}: `}${message}.\n       ${remedy}`,
  );
  const headline = problem.detail ?? problem.title;
  const count = lines.length === 0 ? '' : ` (${counted(lines.length, 'error')})`;
  const end = effect === undefined ? '' : `\n${effect}${count}`;
  const remedy = REMEDIES[problem.status];
  const told = lines.length === 0 ? `error  ${headline}` : lines.join('\n');
  const text = remedy === undefined ? told : `${told}\n       ${remedy}`;
  const code = badInput ? exitCodes.badInput : problem.status < 500 ? exitCodes.refused : exitCodes.failure;
  return new CommandError(code, `${text}${end}`, { problem });
}

function unreachable(baseUrl: string): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause;
    throw new CommandError(
      exitCodes.failure,
      `error  cannot reach Davit at ${baseUrl}: ${causeOf(cause)}.\n       Start it with \`npm run up\`, or point DAVIT_URL or --url at a running spec-api.`,
    );
  };
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? causeOf(error.cause) : error.message || error.name;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
