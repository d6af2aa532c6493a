import { randomHex, type WorldClock, type WorldRandom } from '../clock.js';
import { digest } from '../seal.js';
import { type Endpoint, type EndpointPolicy, type Template, type Worker, type Workergroup } from './entities.js';

/** One measured throughput, shared by all users of the service. */
export interface Benchmark {
  readonly id: number;
  readonly template: Template;
  readonly gpuName: string;
  readonly gpuCount: number;
  readonly value: number;
  readonly atMs: number;
}

/** Everything the service knows, by id. */
export class VastStore {
  readonly endpoints = new Map<number, Endpoint>();
  readonly groups = new Map<number, Workergroup>();
  readonly workers = new Map<number, Worker>();
  /** The present content of each template id. */
  readonly templates = new Map<number, Template>();
  /** Every content that ever was, by hash. */
  readonly contents = new Map<string, Template>();
  /** Recognisable secrets that were handed out, and what each was. */
  readonly canaries = new Map<string, string>();
  /** Rows of `/benchmarks/`. */
  readonly benchmarks: Benchmark[] = [];
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

  /** A fresh secret, remembered with what it is. */
  canary(what: string, length = 48): string {
    const secret = randomHex(this.random, length);
    this.canaries.set(secret, what);
    return secret;
  }

  /** Remembers a secret that was made elsewhere. */
  remember(secret: string, what: string): void {
    if (secret.length >= SHORTEST_SECRET) this.canaries.set(secret, what);
  }

  addEndpoint(name: string, policy: EndpointPolicy): Endpoint {
    const endpoint: Endpoint = {
      id: this.nextId(),
      endpoint_name: name,
      endpoint_state: 'active',
      policy,
      api_key: this.canary('endpoint key'),
      createdAtMs: this.clock.nowMs(),
      demand: [],
      queue: new Map(),
    };
    this.endpoints.set(endpoint.id, endpoint);
    return endpoint;
  }

  /** Stores a template content under a new id, or under `id` for an edit. The hash depends on the content alone. */
  putTemplate(fields: Readonly<Record<string, unknown>>, id = this.nextId(), isPublic = false): Template {
    const content = JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
    const template: Template = { id, hash: digest(content), fields, createdAtMs: this.clock.nowMs(), isPublic };
    this.templates.set(id, template);
    this.contents.set(template.hash, template);
    for (const secret of secretsIn(fields)) this.remember(secret, 'secret of a template');
    return template;
  }

  /** The template with this id and this hash, whichever are given: both must agree. */
  templateBy(id: unknown, hash: unknown): Template | undefined {
    const hasHash = typeof hash === 'string' && hash !== '';
    if (typeof id !== 'number') return [...this.templates.values()].find((template) => template.hash === hash);
    const template = this.templates.get(id);
    return !hasHash || template?.hash === hash ? template : undefined;
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

const SHORTEST_SECRET = 8;

/** Values of environment variables and login fields whose names say that they are secret. */
function secretsIn(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const env = typeof fields['env'] === 'string' ? fields['env'] : '';
  const inEnv = [...env.matchAll(/(?:-e|--env)\s+\w*(?:TOKEN|KEY|SECRET|PASS\w*)=["']?([^\s"']+)/g)];
  const login = fields['docker_login_pass'];
  return [...inEnv.map(([, value = '']) => value), ...(typeof login === 'string' ? [login] : [])];
}
