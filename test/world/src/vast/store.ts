import { randomHex, type WorldClock, type WorldRandom } from '../clock.js';
import { digest } from '../seal.js';
import { type Endpoint, type EndpointPolicy, type Template, type Worker, type Workergroup } from './entities.js';

/** Everything the service knows, by id. */
export class VastStore {
  readonly endpoints = new Map<number, Endpoint>();
  readonly groups = new Map<number, Workergroup>();
  readonly workers = new Map<number, Worker>();
  /** The present content of each template id. */
  readonly templates = new Map<number, Template>();
  private lastId: number;

  constructor(
    readonly clock: WorldClock,
    readonly random: WorldRandom,
  ) {
    this.lastId = 10_000 + Math.floor(random.next() * 10_000);
  }

  nextId(): number {
    this.lastId += 1 + Math.floor(this.random.next() * 3);
    return this.lastId;
  }

  secret(): string {
    return randomHex(this.random, 48);
  }

  addEndpoint(name: string, policy: EndpointPolicy): Endpoint {
    const endpoint: Endpoint = {
      id: this.nextId(),
      endpoint_name: name,
      endpoint_state: 'active',
      policy,
      api_key: this.secret(),
      createdAtMs: this.clock.nowMs(),
      demand: [],
    };
    this.endpoints.set(endpoint.id, endpoint);
    return endpoint;
  }

  /** Stores a template content under a new id, or under `id` for an edit. The hash depends on the content alone. */
  putTemplate(fields: Readonly<Record<string, unknown>>, id = this.nextId()): Template {
    const content = JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
    const template: Template = { id, hash: digest(content), fields, createdAtMs: this.clock.nowMs() };
    this.templates.set(id, template);
    return template;
  }

  templateBy(id: unknown, hash: unknown): Template | undefined {
    if (typeof id === 'number') return this.templates.get(id);
    return [...this.templates.values()].find((template) => template.hash === hash);
  }

  endpointBy(id: unknown, name: unknown): Endpoint | undefined {
    if (typeof id === 'number') return this.endpoints.get(id);
    return [...this.endpoints.values()].find((endpoint) => endpoint.endpoint_name === name);
  }

  groupsOf(endpointId: number): readonly Workergroup[] {
    return [...this.groups.values()].filter((group) => group.endpointId === endpointId);
  }

  workersOf(owner: { readonly endpointId: number } | { readonly groupId: number }): readonly Worker[] {
    return [...this.workers.values()].filter((worker) =>
      'groupId' in owner ? worker.groupId === owner.groupId : worker.endpointId === owner.endpointId,
    );
  }
}
