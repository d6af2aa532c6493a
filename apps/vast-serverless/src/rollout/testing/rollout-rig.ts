import {
  type NewEvent,
  type NormalisedDeployment,
  parseDeployment,
  type RecordedEvent,
  stream,
} from '@davit/contracts';
import { checkLaws, externalKeyOf, type RolloutState } from '@davit/domain';
import type { EvidenceStore } from '@davit/event-log';
import { MemoryEvidence } from '@davit/event-log';
import { type HttpClient, type HttpOutcome, type Logger, seededRandom } from '@davit/ports';
import { Stage } from '@davit/stage';
import { createWorld, MemoryHost, seeded, wholeBody, type World, WORLD_HOSTS } from '@davit/world';
import { vastServerlessControllers } from '../../controllers.js';
import { ask } from '../../load/driver/send.js';
import type { Prompt } from '../../load/prompts/prompt.js';
import { timedHttp } from '../../load/testing/timed-http.js';
import { vastBackend } from '../../vast/backend.js';
import { VastClient } from '../../vast/client.js';
import { DEFAULT_VAST_SETTINGS } from '../../vast/settings.js';
import { rolloutExpectation } from '../expected.js';
import type { RolloutParts } from '../parts.js';
import { evidenceOf, type Wish } from './wish.js';

export const KEY = 'default/qwen';
export const REPLICA = `${KEY}-1-0-1`;
export const ROLLOUT = `${KEY}-2-1`;
const INSTALLATION = 'test';
export const EXTERNAL_KEY = externalKeyOf({ deployment: KEY, revision: 1, ordinal: 0, incarnation: 1 }, INSTALLATION);
const INTENT = '00000000-0000-7000-8000-000000000001';
const SERVED = 'qwen3-8b';
/** Stands in every prompt: no event, no evidence and no line of a log may hold it. */
export const PROMPT_CANARY = 'prompt-canary-51c7';

export const CANDIDATE = {
  name: 'candidate',
  image: 'vllm/vllm-openai',
  tag: 'v0.11.0',
  env: '-p 8000:8000 -e VLLM_MODEL=Qwen/Qwen3-8B-AWQ -e VLLM_ARGS="--served-model-name qwen3-8b --port 8000"',
  onstart: '',
  runtype: 'args',
  args_str: '',
  recommended_disk_space: 40,
};

const TIMINGS = {
  ...{ lookMs: 500, steadyLookMs: 2_000, absenceSpacingMs: 2_000, visibilityMs: 3_000, launchMs: 0 },
  deleteRetryMs: 8_000,
};
export const PACE = {
  ...{ lookMs: 500, tickMs: 200, agreeingLooks: 3, requestDeadlineMs: 15_000, orphanedLoadMs: 5_000 },
  ...{ visibleMs: 3_000 },
};

/** A deployment that serves from a simulated Vast in this process, on virtual time, and whoever carries out its rollouts. */
export class RolloutRig {
  readonly stage = new Stage('vast-serverless');
  readonly world: World;
  readonly evidence: EvidenceStore = new MemoryEvidence();
  readonly candidateHash: string;
  readonly logged: string[] = [];
  readonly bodies: string[] = [];
  private prompts: readonly Prompt[] = [];
  private stop: () => Promise<void> = () => Promise.resolve();
  private instances = 0;

  constructor(private readonly wish: Wish = {}) {
    const { clock } = this.stage;
    const host = new MemoryHost(clock);
    this.world = createWorld({ clock, random: seeded(11), host, vast: { ...wish.vast } });
    this.candidateHash = this.world.vast.store.putTemplate(wish.candidate ?? CANDIDATE).hash;
  }

  get http(): HttpClient {
    return timedHttp(this.stage.clock, async ({ method, url, headers = {}, body = '' }): Promise<HttpOutcome> => {
      const reply = await this.world.handleHttp({ method, url, headers, body });
      if (reply.kind === 'hang') return new Promise(() => undefined);
      if (reply.kind !== 'response') return { kind: 'failure', reason: reply.kind, detail: reply.kind };
      return { kind: 'response', status: reply.status, headers: reply.headers, body: await wholeBody(reply.body) };
    });
  }

  private parts(instanceId: string): RolloutParts {
    const { clock } = this.stage;
    const random = seededRandom(5);
    const settings = {
      ...DEFAULT_VAST_SETTINGS,
      ...{ consoleUrl: WORLD_HOSTS.vastConsole, runUrl: WORLD_HOSTS.vastRun, apiKey: this.world.keys.vast },
      ...{ templateKey: this.world.keys.vast, paceScale: 0, launchingAgeMs: 200, steadyAgeMs: 1_000 },
      ...this.wish.settings,
    };
    const client = new VastClient({ http: this.http, clock, random, settings });
    const logger = this.logger;
    const expected = rolloutExpectation(this.stage.readModel(instanceId));
    const backend = vastBackend({ http: this.http, clock, random, settings, client, expected });
    return {
      ...{ clock, random, logger, http: this.http, client, backend, evidence: this.evidence },
      prompts: () => Promise.resolve(this.prompts),
      secrets: () => undefined,
      ...{ installation: INSTALLATION, timings: TIMINGS, pace: PACE },
    };
  }

  private get logger(): Logger {
    const note = (fields: unknown, message: string): void => void this.logged.push(JSON.stringify([fields, message]));
    const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    return logger;
  }

  /** The service begins, or begins anew with nothing but the log. */
  async start(): Promise<void> {
    await this.stop();
    this.instances += 1;
    const instanceId = `one-${this.instances}`;
    const rollouts = this.parts(instanceId);
    const controllers = vastServerlessControllers({ backend: rollouts.backend, rollouts, timings: TIMINGS });
    this.stop = this.stage.start(controllers, instanceId);
  }

  end(): Promise<void> {
    return this.stop();
  }

  /** Revision 1 serves. */
  async serving(): Promise<this> {
    await this.start();
    await this.declare(1, this.spec(this.world.vast.standardTemplateHash, 'surge'));
    const identity = { deployment: KEY, revision: 1, ordinal: 0, incarnation: 1 };
    await this.replica(
      {
        type: 'davit.replica.requested',
        data: {
          ...{ replicaId: REPLICA, ...identity, externalKey: EXTERNAL_KEY, mode: 'serverless', servedName: SERVED },
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

  /** Revision 2 is declared: another template. */
  async candidate(): Promise<this> {
    await this.declare(2, this.spec(this.candidateHash, 'evidence'));
    return this;
  }

  private async declare(revision: number, spec: NormalisedDeployment): Promise<void> {
    await this.stage.given(stream.deployment(KEY), {
      type: 'davit.deployment.declared',
      data: { intentId: INTENT, generation: revision, revision, templateDigest: `${revision}`.repeat(64), spec },
    });
  }

  spec(templateHash: string, strategy: 'surge' | 'evidence'): NormalisedDeployment {
    const parsed = parseDeployment({
      apiVersion: 'davit.dev/v1',
      kind: 'Deployment',
      metadata: { name: 'qwen' },
      spec: {
        model: { id: 'Qwen/Qwen3-8B', servedName: SERVED },
        runtime: { engine: 'vllm' },
        compute: { mode: 'serverless', templateHash, workers: { cold: 2, max: 4, minLoad: 400, ...this.wish.workers } },
        rollout: { strategy, ...(strategy === 'evidence' ? evidenceOf(this.wish) : {}) },
      },
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return parsed.deployment;
  }

  private replica(...events: [NewEvent, ...NewEvent[]]): Promise<void> {
    return this.stage.given(stream.replica(REPLICA), ...events);
  }

  /** What production answers now to representative prompts, which a candidate has to answer as well. */
  private async recorded(): Promise<readonly Prompt[]> {
    const { store } = this.world.vast;
    const endpointId = [...store.endpoints.keys()][0] ?? 0;
    const target = { endpointId, endpointName: EXTERNAL_KEY, servedName: SERVED };
    const parts = this.parts('recorder');
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

  async approve(): Promise<void> {
    const { data } = await this.until('davit.rollout.approval-requested');
    const evidenceDigest = 'evidenceDigest' in data ? String(data.evidenceDigest) : '';
    await this.word('approved', evidenceDigest);
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
    const model = this.stage.readModel(`one-${this.instances}`);
    return (await model.get<RolloutState>('rollout', ROLLOUT))?.document;
  }

  /** Lets time pass until the log holds such an event. */
  async until(
    type: RecordedEvent['type'],
    matches: (event: RecordedEvent) => boolean = () => true,
    limitMs = 1_200_000,
  ): Promise<RecordedEvent> {
    let found: RecordedEvent | undefined;
    const isThere = async (): Promise<boolean> => {
      found = (await this.events()).find((event) => event.type === type && matches(event));
      return found !== undefined;
    };
    const revision = (): number => this.stage.log.size;
    if (!(await this.stage.clock.runUntil(isThere, limitMs, revision))) {
      const tail = (await this.events())
        .slice(-12)
        .map(({ type: name, data }) => `${name} ${JSON.stringify(data).slice(0, 400)}`);
      throw new Error(
        `no ${type} within ${limitMs} ms; the last were\n${tail.join('\n')}\n${this.logged.slice(-8).join('\n')}`,
      );
    }
    return found as RecordedEvent; // it was just found
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
