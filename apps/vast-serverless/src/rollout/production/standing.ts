import type { OnTemplate, TemplateIdentity, WorkerView } from '@davit/contracts';
import { isoTime } from '@davit/ports';
import type { TemplateRow } from '../../vast/api/templates.js';
import type { JoinedWorker } from '../../vast/joined.js';
import { type Capabilities, UNLEARNT } from '../../vast/rolling/capabilities.js';
import { type CandidateTemplate, onCandidate, type ProbedIdentity } from '../../vast/rolling/on-candidate.js';
import type { Turn } from '../turn.js';

/** Both templates of a rollout, as they are told apart. */
export interface Templates {
  readonly candidate: CandidateTemplate;
  readonly old: CandidateTemplate;
}

export interface Known {
  readonly templates: Templates;
  readonly capabilities: Capabilities;
  /** What workers themselves answered, by id. */
  readonly probed: ReadonlyMap<number, ProbedIdentity>;
}

/** Reads both templates; undefined while one cannot be read. Images are kept, since identities do not change under one hash. */
export async function templatesOf(turn: Turn): Promise<Templates | undefined> {
  const { state, plan, jobs } = turn;
  const kept = jobs.note<{ value?: Templates }>(state.id, 'templates', () => ({}));
  if (kept.value || !state.template) return kept.value;
  const [candidate, old] = [await rowOf(turn, state.template), await rowOf(turn, plan.rollback)];
  if (candidate === undefined || old === undefined) return undefined;
  const imageIsNew = candidate.image !== old.image;
  const told = ({ templateId, templateHash }: TemplateIdentity, { image }: { image: string }): CandidateTemplate => ({
    ...{ id: templateId, hash: templateHash, image, imageIsNew },
  });
  kept.value = { candidate: told(state.template, candidate), old: told(plan.rollback, old) };
  return kept.value;
}

/** A template that is gone has no image to tell it by; its id and hash still are. */
async function rowOf(
  { parts }: Turn,
  { templateId }: TemplateIdentity,
): Promise<Pick<TemplateRow, 'image'> | undefined> {
  const reply = await parts.client.templates.byId(templateId);
  if (reply.kind !== 'confirmed') return undefined;
  return reply.value ?? { image: '' };
}

/** Milliseconds since 1970; null: not yet. */
export interface Turns {
  readonly touchedMs: number;
  readonly takenBackMs: number | null;
}

export const turnsOf = ({ touchedAt, phase, since }: Turn['state']): Turns => ({
  touchedMs: Date.parse(touchedAt ?? since),
  takenBackMs: phase.name === 'rolling-back' ? Date.parse(since) : null,
});

/** Which template a worker is on, and by which evidence. Unknown is neither. */
export function standingOf(
  worker: JoinedWorker,
  known: Known,
  { touchedMs, takenBackMs }: Turns,
): { readonly view: WorkerView; readonly evidence: 'instance' | 'image' | 'model-identity' | 'none' } {
  const { id, status, loadedAtMs, instance } = worker;
  const probed = known.probed.get(id);
  const on = takenBackMs === null ? onForth(worker, known, touchedMs) : onBack(worker, known, touchedMs, takenBackMs);
  const view = {
    ...{ workerId: id, status: status.slice(0, 60), on },
    templateId: instance?.template_id ?? null,
    templateHash: instance?.template_hash_id ?? null,
    loadedAt: loadedAtMs === null || loadedAtMs <= 0 ? null : isoTime(Math.round(loadedAtMs)),
  };
  const evidence = probed !== undefined ? 'model-identity' : on === 'unknown' ? 'none' : 'instance';
  return { view, evidence };
}

function onForth(worker: JoinedWorker, known: Known, touchedMs: number): OnTemplate {
  const { templates, capabilities, probed } = known;
  const { verdict } = onCandidate(
    ...([worker, worker.instance, templates.candidate, touchedMs, capabilities, probed.get(worker.id)] as const),
  );
  return verdict === 'yes' ? 'candidate' : verdict === 'no' ? 'old' : 'unknown';
}

const AT_REST = new Set(['idle', 'stopped']);

/** On the way back: what never left the old template, and what has loaded it again. */
function onBack(worker: JoinedWorker, known: Known, touchedMs: number, takenBackMs: number): OnTemplate {
  const { templates, capabilities, probed } = known;
  const { instance, loadedAtMs, status } = worker;
  const answered = probed.get(worker.id);
  const neverLeft =
    AT_REST.has(status) &&
    loadedAtMs !== null &&
    loadedAtMs < touchedMs &&
    answered !== 'candidate' &&
    (instance?.template_hash_id ?? templates.old.hash) === templates.old.hash;
  if (neverLeft) return 'old';
  const backwards = answered === undefined ? undefined : answered === 'old' ? 'candidate' : 'old';
  const { verdict } = onCandidate(worker, instance, templates.old, takenBackMs, capabilities, backwards);
  return verdict === 'yes' ? 'old' : verdict === 'no' ? 'candidate' : 'unknown';
}

export const NOTHING_LEARNT: Capabilities = UNLEARNT;
