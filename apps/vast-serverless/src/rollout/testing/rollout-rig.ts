import { type NewEvent, type NormalisedDeployment, type RecordedEvent, stream } from '@davit/contracts';
import { checkLaws, type RolloutState } from '@davit/domain';
import type { HttpClient, HttpOutcome, Logger } from '@davit/ports';
import { Stage } from '@davit/stage';
import { createWorld, MemoryHost, seeded, wholeBody, type World, WORLD_HOSTS } from '@davit/world';
import { ask } from '../../load/driver/send.js';
import type { Prompt } from '../../load/prompts/prompt.js';
import { timedHttp } from '../../load/testing/timed-http.js';
import { DEFAULT_VAST_SETTINGS } from '../../vast/settings.js';
import { NotedEvidence } from './noted-evidence.js';
import { RolloutService } from './service.js';
import {
  CANDIDATE,
  EXTERNAL_KEY,
  IDENTITY,
  INTENT,
  KEY,
  PACE,
  PROMPT_CANARY,
  REPLICA,
  ROLLOUT,
  SERVED,
} from './setting.js';
import { specOf, type Wish } from './wish.js';
import { Witness } from './witness.js';

type How = 'schema' | 'empty' | 'model' | 'text' | 'wording';
const NEEDED = { api: { misc: {}, user_read: {}, instance_read: {}, billing_read: {} } };
const spoiled = (how: How, template: string) => ({ kind: 'wrong-output', how, on: { template } }) as const;

/** A deployment that serves from a simulated Vast in this process, on virtual time, and whoever carries out its rollouts. */
export class RolloutRig {
  readonly stage = new Stage('vast-serverless');
  readonly world: World;
  readonly evidence = new NotedEvidence();
  /** Of the template that revision 2 is of. */
  candidateHash: string;
  readonly logged: string[] = [];
  readonly witness: Witness;
  readonly service: RolloutService;
  /** Another instance of it, which does not run before it is started. */
  readonly other: RolloutService;
  private prompts: readonly Prompt[] = [];
  private spoiltHow: How | null = null;
  private unspoil: () => void = () => undefined;

  constructor(private readonly wish: Wish = {}) {
    const { clock } = this.stage;
    const host = new MemoryHost(clock);
    this.world = createWorld({ clock, random: seeded(11), host, vast: { ...wish.vast } });
    const { vast, keys } = this.world;
    this.candidateHash = vast.store.putTemplate(wish.candidate ?? CANDIDATE).hash;
    const settings = {
      ...DEFAULT_VAST_SETTINGS,
      ...{
        consoleUrl: WORLD_HOSTS.vastConsole,
        runUrl: WORLD_HOSTS.vastRun,
        apiKey: wish.isScoped ? vast.keys.create('rollouts', NEEDED).secret : keys.vast,
      },
      ...{ templateKey: keys.vast, paceScale: 0, launchingAgeMs: 200, steadyAgeMs: 1_000 },
      ...wish.settings,
    };
    this.witness = new Witness(this.world, this.stage);
    const { stage, http, evidence, logger } = this;
    const options = {
      ...{ stage, http, evidence, logger, settings, prompts: () => this.prompts },
      ...{ environment: wish.environment ?? {}, tap: wish.tap, pace: { ...PACE, ...wish.pace } },
    };
    this.service = new RolloutService({ ...options, prefix: 'one' });
    this.other = new RolloutService({ ...options, prefix: 'other' });
  }

  private get http(): HttpClient {
    return timedHttp(this.stage.clock, async (request): Promise<HttpOutcome> => {
      this.witness.asked(request);
      const { method, url, headers = {}, body = '' } = request;
      const reply = await this.world.handleHttp({ method, url, headers, body });
      this.witness.answered(request, reply.kind === 'response' ? reply.status : null);
      if (reply.kind === 'hang') return new Promise(() => undefined);
      if (reply.kind !== 'response') return { kind: 'failure', reason: reply.kind, detail: reply.kind };
      return { kind: 'response', status: reply.status, headers: reply.headers, body: await wholeBody(reply.body) };
    });
  }

  private get logger(): Logger {
    const note = (fields: unknown, message: string): void => void this.logged.push(JSON.stringify([fields, message]));
    const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    return logger;
  }

  /** Nothing of it moves any more: what it waits for is not waited for. */
  end(): void {
    this.service.crash();
    this.other.crash();
  }

  /** The candidate answers in a certain wrong way from now on; null ends that. */
  spoil(how: How | null): void {
    this.unspoil();
    this.spoiltHow = how;
    this.unspoil = how === null ? () => undefined : this.world.vast.arm(spoiled(how, this.candidateHash));
  }

  /** Revision 1 serves. */
  async serving(): Promise<this> {
    this.service.start();
    await this.declare(1, specOf(this.world.vast.standardTemplateHash, 'surge', this.wish));
    await this.replica(
      {
        type: 'davit.replica.requested',
        data: {
          ...{ replicaId: REPLICA, ...IDENTITY, externalKey: EXTERNAL_KEY, mode: 'serverless', servedName: SERVED },
          ...{ adapter: 'vast-serverless', reason: 'wanted', replaces: null },
        },
      },
      { type: 'davit.replica.discovery-requested', data: { replicaId: REPLICA, attempt: 1 } },
    );
    await this.until('davit.endpoint.discovered');
    const deadlineAt = new Date(this.stage.clock.nowMs() + 600_000).toISOString();
    const placed = { rung: null, placement: null, adopted: false, price: null, evidence: [] };
    await this.replica(
      { type: 'davit.replica.placed', data: { replicaId: REPLICA, ...placed } },
      { type: 'davit.replica.launch-requested', data: { replicaId: REPLICA, attempt: 1, deadlineAt } },
    );
    const up = await this.until('davit.endpoint.observed', ({ data }) => 'phase' in data && data.phase === 'up');
    const url = 'url' in up.data ? String(up.data.url) : '';
    const evidence = { healthMs: 1, modelsMs: 1, inferenceMs: 1 };
    await this.stage.given(
      stream.runtime(REPLICA),
      { type: 'davit.runtime.probing-started', data: { replicaId: REPLICA, url, expectedModel: SERVED } },
      { type: 'davit.runtime.became-ready', data: { replicaId: REPLICA, url, servedModel: SERVED, evidence } },
    );
    await this.replica({ type: 'davit.replica.ready', data: { replicaId: REPLICA, url, servedModel: SERVED } });
    await this.stage.given(stream.deployment(KEY), {
      type: 'davit.deployment.revision-activated',
      data: { revision: 1, previous: null },
    });
    await this.workersRest();
    this.prompts = await this.recorded();
    return this;
  }

  /** All workers that production is to have are there. */
  private async workersRest(): Promise<void> {
    await this.stage.until(() => {
      const { workers } = this.world.vast.truth();
      return workers.length >= 2 && workers.every(({ status }) => status === 'idle' || status === 'stopped');
    });
  }

  /** Another revision is declared: another template. */
  async candidate(revision = 2, compute: Readonly<Record<string, unknown>> = {}): Promise<this> {
    await this.declare(revision, specOf(this.candidateHash, 'evidence', this.wish, compute));
    return this;
  }

  /** Another revision is declared that writes its template out. */
  async candidateOf(written: { readonly template: object; readonly secrets?: readonly object[] }): Promise<this> {
    await this.declare(2, specOf(null, 'evidence', this.wish, { ...written }));
    const { data } = await this.until('davit.rollout.template-recorded');
    this.candidateHash = data.template.templateHash;
    if (this.spoiltHow !== null) this.spoil(this.spoiltHow);
    return this;
  }

  private async declare(revision: number, spec: NormalisedDeployment): Promise<void> {
    await this.stage.given(stream.deployment(KEY), {
      type: 'davit.deployment.declared',
      data: { intentId: INTENT, generation: revision, revision, templateDigest: `${revision}`.repeat(64), spec },
    });
  }

  private replica(...events: [NewEvent, ...NewEvent[]]): Promise<void> {
    return this.stage.given(stream.replica(REPLICA), ...events);
  }

  /** What production answers now to representative prompts, which a candidate has to answer as well. */
  private async recorded(): Promise<readonly Prompt[]> {
    const { store } = this.world.vast;
    const endpointId = [...store.endpoints.keys()][0] ?? 0;
    const target = { endpointId, endpointName: EXTERNAL_KEY, servedName: SERVED };
    const parts = this.service.parts(this.stage.clock, this.http, this.evidence);
    const answered = ['hello', 'what is two and two', 'name a colour'].map(async (content, index) => {
      const payload = { max_tokens: 20, messages: [{ role: 'user', content: `${content} ${PROMPT_CANARY}` }] };
      const prompt = { id: `prompt-${index}`, path: '/v1/chat/completions', payload, cost: 20, recorded: null };
      const { body } = await ask(parts, target, prompt, PACE.requestDeadlineMs);
      return { ...prompt, recorded: body };
    });
    const state: { done?: readonly Prompt[] } = {};
    void Promise.all(answered).then((prompts) => (state.done = prompts));
    await this.stage.until(() => state.done !== undefined);
    return state.done ?? [];
  }

  /** An operator approves what waits for it. */
  async approve(): Promise<void> {
    const { data } = await this.until('davit.rollout.approval-requested');
    await this.word('approved', 'evidenceDigest' in data ? data.evidenceDigest : '');
  }

  word(verb: 'approved' | 'rejected' | 'aborted', evidenceDigest: string): Promise<void> {
    return this.stage.given(stream.deployment(KEY), {
      type: `davit.deployment.rollout-${verb}`,
      data: { intentId: INTENT, rolloutId: ROLLOUT, evidenceDigest, actor: 'ada', reason: 'looked at it' },
    });
  }

  async events(): Promise<readonly RecordedEvent[]> {
    return this.stage.log.read(0, 100_000);
  }

  async state(): Promise<RolloutState | undefined> {
    const model = this.stage.readModel(this.service.instanceId);
    return (await model.get<RolloutState>('rollout', ROLLOUT))?.document;
  }

  /** Lets time pass until the log holds such an event. */
  async until<Type extends RecordedEvent['type']>(
    type: Type,
    matches: (event: RecordedEvent) => boolean = () => true,
    limitMs = 1_200_000,
  ): Promise<Extract<RecordedEvent, { type: Type }>> {
    let read = 0;
    let found: RecordedEvent | undefined;
    const isThere = async (): Promise<boolean> => {
      const events = await this.stage.log.read(read, 100_000);
      read += events.length;
      found = events.find((event) => event.type === type && matches(event));
      return found !== undefined;
    };
    const revision = (): number => this.stage.log.size;
    if (!(await this.stage.clock.runUntil(isThere, limitMs, revision))) {
      const tail = (await this.events())
        .slice(-12)
        .map(({ type: name, data }) => `${name} ${JSON.stringify(data).slice(0, 400)}`);
      const story = (await this.story()).join(' ');
      const said = (await this.events()).findLast(({ type: name }) => name === 'davit.rollout.verdict-reached');
      throw new Error(
        `no ${type} within ${limitMs} ms: ${story}; ${JSON.stringify(said?.data ?? {}).slice(0, 1_500)}; the last were\n${tail.join('\n')}\n${this.logged.slice(-8).join('\n')}`,
      );
    }
    return found as Extract<RecordedEvent, { type: Type }>; // it was found by its type
  }

  /** Lets so much time pass. */
  pass(ms: number): Promise<void> {
    return this.stage.clock.advance(ms);
  }

  /** Names of the rollout's own events, in order, each once in a row. */
  async story(): Promise<readonly string[]> {
    const names = (await this.events()).flatMap(({ type }) => /^davit\.rollout\.(.+)$/.exec(type)?.[1] ?? []);
    return names.filter((name, index) => name !== names[index - 1]);
  }

  async broken(): Promise<readonly unknown[]> {
    return checkLaws(await this.events(), { ended: false });
  }
}
