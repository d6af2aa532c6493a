import type { DavitClient } from '@davit/cli';
import { type RecordedEvent, deploymentAnswer } from '@davit/contracts';
import { type CliResult, davit } from '../cli.js';
import { waitFor } from '../wait-for.js';
import type { WorldClient } from '../world-client.js';
import { type Followed, followRollout, type Reaction, type RolloutOutcome } from './follow.js';
import { readServerless, type ServerlessManifest, withArgument } from './manifest.js';
import { templatesOf } from './outside.js';
import { keepReceipt, type KeptReceipt } from './receipts.js';

export interface VastScenarioParts {
  readonly client: DavitClient;
  readonly world: WorldClient;
  /** Address of the front door, for the commands that are run. */
  readonly url: string;
  /** The account's key, with which Vast's own address is asked. */
  readonly vastKey: string;
  readonly manifestFile: string;
  readonly receiptsFolder: string;
  readonly tell: (step: string) => void;
  /** What a command printed. */
  readonly show: (text: string) => void;
  readonly patienceMs: number;
}

export interface VastOutcome {
  served: boolean;
  /** How each rollout ended; null while it has not. */
  readonly outcomes: { good: RolloutOutcome | null; bad: RolloutOutcome | null; regressing: RolloutOutcome | null };
  /** By the outside's own books, workers ran the former template before, during and after the bad candidate. */
  productionUntouched: boolean;
  /** By the same books every worker runs the candidate after the good one, and the former template after the rollback. */
  workersFollowed: { good: boolean; back: boolean };
  readonly receipts: KeptReceipt[];
  deleted: boolean;
}

const TENANT = 'default';

/** Three candidates of one serverless deployment, through the doors that users have. */
export class VastScenario {
  readonly outcome: VastOutcome = {
    served: false,
    outcomes: { good: null, bad: null, regressing: null },
    productionUntouched: false,
    workersFollowed: { good: false, back: false },
    receipts: [],
    deleted: false,
  };
  private readonly manifest: ServerlessManifest;

  constructor(private readonly parts: VastScenarioParts) {
    this.manifest = readServerless(parts.manifestFile);
  }

  async run(): Promise<VastOutcome> {
    await this.serve();
    await this.goodCandidate();
    await this.badCandidate();
    await this.regressingCandidate();
    await this.remove();
    return this.outcome;
  }

  private async serve(): Promise<void> {
    const { revision } = await this.apply(this.manifest);
    this.parts.tell(`${this.key} declared as revision ${revision}: strategy evidence`);
    const url = await this.wait('the endpoint serves', async () => {
      const view = await this.parts.client.deployment(TENANT, this.manifest.metadata.name);
      const route = (await this.parts.client.routes()).find(({ alias }) => alias === this.alias);
      return view?.activeRevision === revision ? route?.targets[0]?.url : undefined;
    });
    const answer = await this.wait('a chat request is answered', () => chat(url, this.parts.vastKey));
    this.outcome.served = true;
    this.parts.tell(`serves at ${url}: "${answer.slice(0, 60)}"`);
    await this.wait('every worker that is wanted is there', async () => {
      const { workers } = await this.parts.world.vastTruth();
      return workers.length >= 2 && workers.every(({ status }) => AT_REST.has(status)) ? true : undefined;
    });
  }

  private async goodCandidate(): Promise<void> {
    const { outcomes, workersFollowed } = this.outcome;
    this.parts.tell('— a good candidate —');
    const followed = await this.roll('--max-num-seqs 64', (event) => this.approveWhereAsked(event));
    outcomes.good = followed.outcome;
    workersFollowed.good = await this.allOn(candidateOf(followed.events));
    this.parts.tell(`by the provider's own books every worker runs the candidate: ${yes(workersFollowed.good)}`);
  }

  private async badCandidate(): Promise<void> {
    this.parts.tell('— a bad candidate: its answers have another schema —');
    const before = templatesOf(await this.parts.world.vastTruth());
    let breaks: string | undefined;
    const followed = await this.roll('--enable-reasoning', async (event) => {
      if (event.type !== 'davit.rollout.template-recorded') return;
      breaks = event.data.template.templateHash;
      await this.parts.world.breakVast({ kind: 'wrong-output', how: 'schema', on: { template: breaks } });
    });
    this.outcome.outcomes.bad = followed.outcome;
    await this.parts.world.mendVast();
    const after = templatesOf(await this.parts.world.vastTruth());
    const changed = followed.events.some(({ type }) => type === 'davit.rollout.update-attempted');
    this.outcome.productionUntouched =
      breaks !== undefined && !changed && before.length === 1 && after.length === 1 && before[0] === after[0];
    this.parts.tell(`by the provider's own books production was not touched: ${yes(this.outcome.productionUntouched)}`);
  }

  private async regressingCandidate(): Promise<void> {
    const { outcomes, workersFollowed } = this.outcome;
    this.parts.tell('— a candidate that is good on the canary, and slow in production —');
    const followed = await this.roll('--enforce-eager', async (event) => {
      if (event.type === 'davit.rollout.approval-requested') {
        const { templateHash } = event.data.to;
        await this.parts.world.breakVast({ kind: 'latency', ms: SLOWER_MS, on: { template: templateHash } });
        this.parts.tell(`from now on each answer of the candidate takes ${SLOWER_MS} ms longer`);
      }
      await this.approveWhereAsked(event);
    });
    outcomes.regressing = followed.outcome;
    await this.parts.world.mendVast();
    const isObserved = followed.events.some(({ type }) => type === 'davit.rollout.rollback-observed');
    workersFollowed.back = isObserved && (await this.allOn(wayBackOf(followed.events)));
    this.parts.tell(`by the provider's own books every worker is back: ${yes(workersFollowed.back)}`);
  }

  private async remove(): Promise<void> {
    const { name } = this.manifest.metadata;
    this.parts.tell(`$ davit delete ${name} --wait`);
    const { exitCode, stdout, stderr } = await this.davit(['delete', name, '--wait', '--timeout', '120']);
    this.parts.show(stdout + stderr);
    this.outcome.deleted = exitCode === 0;
  }

  /** Declares a candidate, follows its rollout to the end, and keeps its receipt. */
  private async roll(argument: string, react: Reaction): Promise<Followed> {
    const answer = await this.apply(withArgument(this.manifest, argument));
    this.parts.tell(`revision ${answer.revision} declared: ${argument}`);
    const which = { deployment: this.key, revision: answer.revision, after: answer.position - 1 };
    const followed = await followRollout(this.parts, which, react);
    const { url, receiptsFolder: folder, tell, show } = this.parts;
    this.outcome.receipts.push(await keepReceipt({ url, folder, tell, show }, followed.rolloutId));
    return followed;
  }

  private async approveWhereAsked(event: RecordedEvent): Promise<void> {
    if (event.type !== 'davit.rollout.approval-requested') return;
    const { rolloutId, evidenceDigest } = event.data;
    const words = ['approve', rolloutId, '--evidence', evidenceDigest, '--reason', 'canary and baseline looked at'];
    this.parts.tell(`$ davit approve ${rolloutId} --evidence ${evidenceDigest.slice(0, 8)}… --reason "…"`);
    const { exitCode, stdout, stderr } = await this.davit(words);
    this.parts.show(stdout + stderr);
    if (exitCode !== 0) throw new Error(`the approval of ${rolloutId} ended with ${String(exitCode)}`);
  }

  private async apply(manifest: ServerlessManifest) {
    const { exitCode, stdout, stderr } = await this.davit(['--json', 'apply', '-f', '-'], JSON.stringify(manifest));
    if (exitCode !== 0) throw new Error(`davit apply ended with ${String(exitCode)}: ${stderr}`);
    const answer = deploymentAnswer.parse(JSON.parse(stdout));
    if (answer.outcome !== 'accepted') throw new Error(`refused: ${answer.detail}`);
    return answer;
  }

  private async allOn(templateHash: string | undefined): Promise<boolean> {
    const hashes = templatesOf(await this.parts.world.vastTruth());
    return hashes.length === 1 && hashes[0] === templateHash;
  }

  private davit(args: readonly string[], input?: string): Promise<CliResult> {
    return davit(this.parts.url, args, input);
  }

  /** Routes are named by what is served, not by who serves it. */
  private get alias(): string {
    return `${TENANT}/${this.manifest.spec.model.servedName}`;
  }

  private get key(): string {
    return `${TENANT}/${this.manifest.metadata.name}`;
  }

  private wait<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
    return waitFor(what, look, { timeoutMs: this.parts.patienceMs, everyMs: 200 });
  }
}

const SLOWER_MS = 2_500;
const AT_REST = new Set(['idle', 'stopped']);
const yes = (value: boolean): string => (value ? 'yes' : 'NO');

const candidateOf = (events: readonly RecordedEvent[]): string | undefined =>
  events.flatMap((event) => (event.type === 'davit.rollout.template-recorded' ? [event.data.template] : []))[0]
    ?.templateHash;

const wayBackOf = (events: readonly RecordedEvent[]): string | undefined =>
  events.flatMap((event) => (event.type === 'davit.rollout.started' ? [event.data.rollback] : []))[0]?.templateHash;

/** The text of an answer; undefined while there is none. */
async function chat(url: string, key: string): Promise<string | undefined> {
  const response = await fetch(`${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'qwen3-8b', messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 16 }),
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const body = (await response.json()) as { choices: readonly { message: { content: string } }[] };
  return body.choices[0]?.message.content;
}
