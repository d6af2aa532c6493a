import { type Clock, type HttpClient, type HttpRequest } from '@davit/ports';
import { CALLS_UNHEARD, type OnProviderCall } from '@davit/provider-kit';
import type { z } from 'zod';
import { Pacer, type Route } from './pacer.js';
import { endOf, judge, type Reply } from './reply.js';
import * as rows from './rows.js';
import type { VastSettings } from './settings.js';

const MAX_ATTEMPTS = 4;
const MAX_PAGES = 200;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const NO_KEY = {
  kind: 'refused',
  class: 'auth',
  status: 401,
  detail: 'VAST_API_KEY is not set; set it where vast-serverless runs',
} as const;

/** Vast's HTTP interface as far as it is needed, one method a route. */
export class VastClient {
  private readonly pacer: Pacer;

  constructor(
    private readonly http: HttpClient,
    private readonly clock: Clock,
    private readonly settings: VastSettings,
    private readonly onCall: OnProviderCall = CALLS_UNHEARD,
  ) {
    this.pacer = new Pacer(clock, settings.paceScale);
  }

  async endpoints(): Promise<Reply<readonly rows.EndpointRow[]>> {
    const reply = await this.call('GET endptjobs', '/api/v0/endptjobs/', rows.endpointList);
    // An account without endpoints is told so as an error.
    const isEmpty = reply.kind === 'refused' && reply.status === 400 && /No endpoints/i.test(reply.detail);
    return isEmpty ? { kind: 'confirmed', value: [] } : reply;
  }

  createEndpoint(body: object): Promise<Reply<number>> {
    return this.call('POST endptjobs', '/api/v0/endptjobs/', rows.created, body);
  }

  updateEndpoint(id: number, body: object): Promise<Reply<null>> {
    return this.call('PUT endptjobs', `/api/v0/endptjobs/${id}/`, rows.done, body);
  }

  deleteEndpoint(id: number): Promise<Reply<rows.Deletion>> {
    return this.call('DELETE endptjobs', `/api/v0/endptjobs/${id}/`, rows.deletion);
  }

  async workergroups(): Promise<Reply<readonly rows.GroupRow[]>> {
    const reply = await this.call('GET workergroups', '/api/v0/workergroups/', rows.groupList);
    const isEmpty =
      reply.kind === 'refused' && reply.status === 400 && /^HTTP 400: \w+: No \w*groups?/i.test(reply.detail);
    return isEmpty ? { kind: 'confirmed', value: [] } : reply;
  }

  createWorkergroup(body: object): Promise<Reply<number>> {
    return this.call('POST workergroups', '/api/v0/workergroups/', rows.created, body);
  }

  deleteWorkergroup(id: number): Promise<Reply<rows.Deletion>> {
    return this.call('DELETE workergroups', `/api/v0/workergroups/${id}/`, rows.deletion);
  }

  /** Workers of an endpoint as the engine sees them; it learns of a new endpoint with a delay. */
  workers(endpointId: number): Promise<Reply<readonly rows.WorkerRow[]>> {
    return this.call('POST get_endpoint_workers', '/get_endpoint_workers/', rows.workerList, { id: endpointId });
  }

  /** Every instance of the account, workers among them. */
  async instances(): Promise<Reply<readonly rows.InstanceRow[]>> {
    const found: rows.InstanceRow[] = [];
    let after = '';
    for (let page = 0; page < MAX_PAGES; page++) {
      const reply = await this.call('GET instances', `/api/v1/instances/?limit=25${after}`, rows.instancePage);
      if (reply.kind !== 'confirmed') return reply;
      found.push(...reply.value.instances);
      const token = reply.value.next_token;
      if (token === null || token === undefined || token === '') return { kind: 'confirmed', value: found };
      after = `&after_token=${encodeURIComponent(token)}`;
    }
    return { kind: 'unknown', detail: `the list of instances has more than ${MAX_PAGES} pages` };
  }

  /**
   * One call, repeated only when it was refused for coming too soon, which is before anything happened. The key travels in
   * the header alone.
   */
  private async call<Schema extends z.ZodType>(
    route: Route,
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<Reply<z.output<Schema>>> {
    if (this.settings.apiKey === '') return NO_KEY;
    const deadlineMs = this.clock.monotonicMs() + this.settings.patienceMs;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (!(await this.pacer.turn(route, deadlineMs - this.clock.monotonicMs()))) break;
      const startedMs = this.clock.monotonicMs();
      const reply = judge(await this.http.request(this.request(route, path, body)));
      this.onCall({ call: route, ...endOf(reply), seconds: (this.clock.monotonicMs() - startedMs) / 1_000 });
      if (reply.kind === 'throttled') {
        this.pacer.hold(route, reply.waitMs ?? this.pacer.intervalMs(route) * 2 ** attempt);
        continue;
      }
      if (reply.kind !== 'confirmed') return reply;
      const parsed = schema.safeParse(reply.value);
      if (parsed.success) return { kind: 'confirmed', value: parsed.data };
      return { kind: 'unknown', detail: `the answer to ${route} has another form than expected` };
    }
    return { kind: 'unknown', detail: `${route} was put off: too many calls` };
  }

  private request(route: Route, path: string, body: object | undefined): HttpRequest {
    const [method = ''] = route.split(' ');
    const base = path.startsWith('/api/') ? this.settings.consoleUrl : this.settings.runUrl;
    return {
      // Routes are written as method and name.
      method: method as HttpRequest['method'],
      url: `${base.replace(/\/+$/, '')}${path}`,
      headers: {
        authorization: `Bearer ${this.settings.apiKey}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: this.settings.timeoutMs,
      maxBytes: MAX_BODY_BYTES,
    };
  }
}
