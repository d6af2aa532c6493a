import type { NewEvent, TemplateIdentity } from '@davit/contracts';
import type { ReconcileResult } from '@davit/reconcile';
import { serverlessOf, type ServerlessCompute } from '../../vast/policy.js';
import { candidateOf } from '../../vast/template/candidate.js';
import { ensureTemplate, type MadeTemplate } from '../../vast/template/create.js';
import { isDenied } from '../../vast/wire/reply.js';
import { cut, type Turn } from '../turn.js';

/** Finds the template that the specification names, or makes one of the content that it writes out. */
export async function prepareTemplate(turn: Turn, attempt: number): Promise<ReconcileResult> {
  const compute = computeOf(turn);
  if (!compute) return turn.write(failed(turn, 'the specification is not of a serverless deployment'));
  if (compute.template) return create(turn, compute.template, attempt);
  const reply = await turn.parts.client.templates.byHash(compute.templateHash ?? '');
  switch (reply.kind) {
    case 'unknown':
      return turn.notKnown('template', reply.detail);
    case 'refused':
      return turn.write(failed(turn, reply.detail));
    case 'confirmed': {
      const { value } = reply;
      if (!value?.hash) return turn.write(failed(turn, `no template has the hash ${compute.templateHash ?? ''}`));
      return record(turn, { templateId: value.id, templateHash: value.hash }, 'declared');
    }
  }
}

/** The answer to a creation never came: the template is looked for by its name, which nothing else has. */
export async function resolveTemplate(turn: Turn, attempt: number): Promise<ReconcileResult> {
  const compute = computeOf(turn);
  if (!compute?.template) return turn.write(failed(turn, 'the specification holds no template'));
  const { name } = contentOf(turn, compute.template);
  const reply = await turn.parts.client.templates.byName(name);
  if (reply.kind !== 'confirmed')
    return turn.notKnown('template', { notSeen: reply.detail, isDenied: isDenied(reply) });
  if (reply.value.length > 0) return settle(turn, await ensured(turn, compute.template), 'discovery');
  const isOver = turn.nowMs - Date.parse(turn.state.startedAt) >= turn.parts.pace.visibleMs;
  return isOver ? create(turn, compute.template, attempt + 1) : turn.soon;
}

type Content = NonNullable<ServerlessCompute['template']>;

async function create(turn: Turn, content: Content, attempt: number): Promise<ReconcileResult> {
  const { state, context } = turn;
  const { name, digest } = contentOf(turn, content);
  const attempted = await turn.append({
    type: 'davit.rollout.template-attempted',
    data: { rolloutId: state.id, attempt, name, contentDigest: digest, leaseEpoch: context.epoch },
  });
  return attempted ? settle(turn, await ensured(turn, content), 'reply') : turn.soon;
}

function settle(turn: Turn, made: MadeTemplate, resolvedBy: 'reply' | 'discovery'): Promise<ReconcileResult> {
  switch (made.outcome) {
    case 'made':
      return record(turn, { templateId: made.id, templateHash: made.hash }, resolvedBy);
    case 'refused':
      return turn.record(failed(turn, made.detail));
    case 'unknown':
      return Promise.resolve(turn.notKnown('template', made.detail));
  }
}

/** What serves already proves nothing new. */
function record(turn: Turn, template: TemplateIdentity, resolvedBy: 'declared' | 'reply' | 'discovery') {
  const { templateId, templateHash } = turn.plan.rollback;
  if (template.templateId === templateId && template.templateHash === templateHash) {
    return turn.record(failed(turn, `template ${templateId} is what production serves from already`));
  }
  return turn.record({
    type: 'davit.rollout.template-recorded',
    data: { rolloutId: turn.state.id, template, resolvedBy },
  });
}

const secretsOf = ({ state, deployment }: Turn) => deployment.revisions[state.revision]?.spec.secrets ?? [];
const contentOf = (turn: Turn, content: Content) => candidateOf(turn.state.id, content, secretsOf(turn));

function ensured(turn: Turn, content: Content): Promise<MadeTemplate> {
  const { parts, context, state, plan } = turn;
  return ensureTemplate(parts.client, {
    ...{ purpose: state.id, content, secrets: secretsOf(turn), read: parts.secrets },
    knownIds: [plan.rollback.templateId],
    holdsLease: () => context.holdsLease(),
  });
}

const computeOf = ({ state, deployment }: Turn): ServerlessCompute | undefined => {
  const spec = deployment.revisions[state.revision];
  return spec && serverlessOf(spec);
};

const failed = ({ state }: Turn, detail: string): NewEvent => ({
  type: 'davit.rollout.candidate-failed',
  data: { rolloutId: state.id, step: 'template', detail: cut(detail), evidenceDigest: null },
});
