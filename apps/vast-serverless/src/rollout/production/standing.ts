import type { OnTemplate, TemplateIdentity, WorkerView } from '@davit/contracts';
import { isoTime } from '@davit/ports';
import type { TemplateRow } from '../../vast/api/templates.js';
import type { JoinedWorker } from '../../vast/joined.js';
import { type Capabilities, UNLEARNT } from '../../vast/rolling/capabilities.js';
import { type CandidateTemplate, isAtRest, onCandidate, type ProbedIdentity } from '../../vast/rolling/on-candidate.js';
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

/** When production was changed, and changed back. Milliseconds since 1970. */
export interface Turns {
  readonly touchedMs: number;
  /** Null while it is on its way forth. */
  readonly back: {
    /** From then on what loads may load the old template again. */
    readonly takenMs: number;
    /** Workers that were on the old template when the way back began: when each had loaded. */
    readonly stayed: Readonly<Record<string, string | null>>;
    /** Production never held the candidate. */
    readonly wasNotChanged: boolean;
  } | null;
}

export const turnsOf = ({ touchedAt, phase, since }: Turn['state']): Turns => ({
  touchedMs: Date.parse(touchedAt ?? since),
  back:
    phase.name === 'rolling-back'
      ? { takenMs: Date.parse(phase.takenBackAt), stayed: phase.stayed, wasNotChanged: phase.wasNotChanged }
      : null,
});

/** Which template a worker is on, and by which evidence. Unknown is neither. */
export function standingOf(
  worker: JoinedWorker,
  known: Known,
  { touchedMs, back }: Turns,
): { readonly view: WorkerView; readonly evidence: 'instance' | 'image' | 'model-identity' | 'none' } {
  const { id, status, instance } = worker;
  const probed = known.probed.get(id);
  const on = back === null ? onForth(worker, known, touchedMs) : onBack(worker, known, touchedMs, back);
  const loadedAt = loadedAtOf(worker);
  const view = {
    ...{ workerId: id, status: status.slice(0, 60), on },
    templateId: instance?.template_id ?? null,
    templateHash: instance?.template_hash_id ?? null,
    loadedAt,
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

const loadedAtOf = ({ loadedAtMs }: JoinedWorker): string | null =>
  loadedAtMs === null || loadedAtMs <= 0 ? null : isoTime(Math.round(loadedAtMs));

/**
 * On the way back: what answers as the old one does, what never left it, what was on it when the way back began and has not loaded
 * since, what has loaded it again; and everything, where there was never anything else.
 */
function onBack(
  worker: JoinedWorker,
  known: Known,
  touchedMs: number,
  { takenMs, stayed, wasNotChanged }: NonNullable<Turns['back']>,
): OnTemplate {
  const { templates, capabilities, probed } = known;
  const { id, instance, loadedAtMs } = worker;
  const answered = probed.get(id);
  if (answered === 'candidate') return 'candidate';
  if (isAtRest(worker)) {
    if (answered === 'old' || wasNotChanged) return 'old';
    const isOldByRecord = (instance?.template_hash_id ?? templates.old.hash) === templates.old.hash;
    const hasNotMoved = loadedAtMs !== null && loadedAtMs < touchedMs;
    // What had yet to load then has loaded what its record names, which would have moved with an update.
    const mayHaveLoaded = stayed[id] === null || stayed[id] === loadedAtOf(worker);
    const hasStayed = instance?.template_hash_id === templates.old.hash && id in stayed && mayHaveLoaded;
    if (isOldByRecord && (hasNotMoved || hasStayed)) return 'old';
  }
  const { verdict } = onCandidate(worker, instance, templates.old, takenMs, capabilities);
  if (verdict === 'yes') return 'old';
  // What has not loaded since may never have left the old one: only a record that is the candidate's proves that it did.
  const isCandidateByRecord = instance?.template_hash_id === templates.candidate.hash;
  return verdict === 'no' && isCandidateByRecord ? 'candidate' : 'unknown';
}

export const NOTHING_LEARNT: Capabilities = UNLEARNT;
