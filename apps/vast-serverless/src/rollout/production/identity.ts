import type { JoinedWorker } from '../../vast/joined.js';
import { type Capabilities, learn, UNLEARNT } from '../../vast/rolling/capabilities.js';
import type { ProbedIdentity } from '../../vast/rolling/on-candidate.js';
import type { LoadTarget } from '../../load/load-parts.js';
import type { Prompt } from '../../load/prompts/prompt.js';
import { promptDigest } from '../../load/record/request-record.js';
import { seen } from '../../load/watch/look.js';
import { askOne, type AskedPrompt, recordedOf } from '../canary/ask-prompts.js';
import { promptsOf } from '../prompts.js';
import type { Turn } from '../turn.js';
import { standingOf, type Templates, turnsOf } from './standing.js';
import { waking } from './waking.js';

export interface Identities {
  readonly capabilities: Capabilities;
  readonly probed: ReadonlyMap<number, ProbedIdentity>;
}

interface Note {
  capabilities: Capabilities;
  /** What a worker answered since its model was loaded at that instant. */
  readonly told: Map<number, { readonly identity: ProbedIdentity; readonly loadedAtMs: number | null }>;
}

/** Requests for each worker that is not told apart yet: who answers is the engine's choice. */
const ASKS_PER_WORKER = 3;
const MOST_ASKS = 24;

/**
 * What workers themselves tell. Where records of instances do not say which template a worker is on, it is asked something that both
 * templates answer differently; and what their records did meanwhile is learnt from those that have shown it.
 */
export async function identitiesOf(
  turn: Turn,
  target: LoadTarget,
  templates: Templates,
  workers: readonly JoinedWorker[],
): Promise<Identities> {
  const note = turn.jobs.note<Note>(turn.state.id, 'identities', () => ({
    ...{ capabilities: UNLEARNT, told: new Map() },
  }));
  const known = () => ({ templates, capabilities: note.capabilities, probed: probedOf(note, workers) });
  const turns = turnsOf(turn.state);
  const open = workers.filter((worker) => standingOf(worker, known(), turns).view.on === 'unknown');
  const awake = open.filter(({ status }) => status === 'idle').length;
  const isAsleep = open.some(({ status }) => status === 'stopped');
  const tellTale = awake > 0 || isAsleep ? await tellTaleOf(turn) : undefined;
  if (!tellTale) return known();
  const light = Array.from({ length: Math.min(MOST_ASKS, awake * ASKS_PER_WORKER) }, () => tellTale.prompt);
  const prompts = isAsleep ? [...light, ...waking(turn, tellTale.prompt, workers)] : light;
  const answers = await Promise.all(prompts.map((prompt) => askOne(turn.parts, target, prompt)));
  noteAnswers(note, answers, { workers, tellTale });
  learnFrom(turn, note, templates, workers);
  return known();
}

/** An answer counts as long as the worker has not loaded anew. */
const probedOf = ({ told }: Note, workers: readonly JoinedWorker[]): ReadonlyMap<number, ProbedIdentity> =>
  new Map(
    workers.flatMap(({ id, loadedAtMs }) => {
      const one = told.get(id);
      return one && one.loadedAtMs === loadedAtMs ? [[id, one.identity] as const] : [];
    }),
  );

/** An answer that either template gives tells which of them the worker is on; any other tells nothing. */
function noteAnswers(
  { told }: Note,
  answers: readonly Pick<AskedPrompt, 'output' | 'workerUrl'>[],
  { workers, tellTale }: { readonly workers: readonly JoinedWorker[]; readonly tellTale: TellTale },
): void {
  for (const { output, workerUrl } of answers) {
    const worker = workerUrl === null ? undefined : workerAt(workers, workerUrl);
    const identity = output === tellTale.candidate ? 'candidate' : output === tellTale.old ? 'old' : undefined;
    if (worker && identity !== undefined) told.set(worker.id, { identity, loadedAtMs: worker.loadedAtMs });
  }
}

const workerAt = (workers: readonly JoinedWorker[], url: string): JoinedWorker | undefined => {
  const { hostname, port } = new URL(url);
  return workers.find((worker) => seen(worker, null).addresses.includes(`${hostname}:${port}`));
};

interface TellTale {
  readonly prompt: Prompt;
  readonly candidate: string;
  readonly old: string;
}

/** A prompt that canary and former production answered differently; undefined where none is known. */
async function tellTaleOf(turn: Turn): Promise<TellTale | undefined> {
  const { state, parts } = turn;
  const kept = state.baseline === null ? undefined : await parts.evidence.get(state.baseline);
  const before = kept?.kind === 'baseline' && 'outputs' in kept.value ? (kept.value.outputs ?? []) : [];
  const prompts = recordedOf((await promptsOf(turn)) ?? []).asked;
  for (const prompt of prompts) {
    const digest = promptDigest(prompt);
    const candidate = state.proof?.outputs.find((one) => one.prompt === digest)?.output;
    const old = before.find((one) => typeof one === 'object' && one.prompt === digest)?.output;
    if (candidate !== undefined && old !== undefined && candidate !== old) return { prompt, candidate, old };
  }
  return undefined;
}

/** Only a record that was seen to be the former template's can be seen to move, or to stay: one that was rented since tells nothing. */
function learnFrom({ state }: Turn, note: Note, { candidate, old }: Templates, workers: readonly JoinedWorker[]): void {
  const touchedMs = Date.parse(state.touchedAt ?? state.since);
  const probed = probedOf(note, workers);
  const updates = workers.flatMap(({ id, instance, loadedAtMs }) => {
    const isProven = probed.get(id) === 'candidate' && loadedAtMs !== null && loadedAtMs > touchedMs;
    const before = instance && { ...instance, template_id: old.id, template_hash_id: old.hash, image_uuid: old.image };
    return before && isProven && state.formerly.includes(id) ? [{ before, after: instance }] : [];
  });
  note.capabilities = learn(note.capabilities, updates, candidate);
}
