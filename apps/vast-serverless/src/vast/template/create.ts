import type { DeploymentSpec, TemplateContent } from '@davit/contracts';
import type { TemplateRow } from '../api/templates.js';
import type { VastClient } from '../client.js';
import { type Failure, isDenied, type Refusal } from '../wire/reply.js';
import { bodyOf, candidateOf, type SecretSource } from './candidate.js';
import { differingFields, type SealedContent, sealed } from './content.js';

/** A template by both of its identities: the id stays, the hash changes with every edit. */
export interface TemplateIdentity {
  readonly id: number;
  readonly hash: string;
}

export type MadeTemplate =
  | ({ readonly outcome: 'made' } & TemplateIdentity & {
        readonly name: string;
        readonly digest: string;
        readonly image: string;
      })
  | { readonly outcome: 'refused'; readonly class: Refusal['class']; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

export interface TemplateOrder {
  /** What begins the name. */
  readonly purpose: string;
  readonly content: TemplateContent;
  readonly secrets: DeploymentSpec['secrets'];
  /** Templates that are in use: what comes back must be none of them. */
  readonly knownIds: readonly number[];
  readonly read: SecretSource;
  /** Asked right before the call that creates (law 7). */
  readonly holdsLease: () => Promise<boolean>;
}

/**
 * One new template for a candidate. It is looked for by its name first, for an earlier attempt may have made it; the answer
 * to the creation is believed only after the stored content was read back.
 */
export async function ensureTemplate(client: VastClient, order: TemplateOrder): Promise<MadeTemplate> {
  const candidate = candidateOf(order.purpose, order.content, order.secrets);
  const resolved = bodyOf(candidate.name, order.content, order.secrets, order.read);
  if (!resolved.ok) return { outcome: 'refused', class: 'config', detail: resolved.detail };
  const wanted = sealed(resolved.body.reveal());
  const made = (row: TemplateRow): MadeTemplate => judgeStored(row, wanted, order, candidate);

  const before = await client.templates.byName(candidate.name);
  if (before.kind !== 'confirmed') return failed(before);
  const own = before.value.find(({ content }) => differingFields(content, wanted).length === 0) ?? before.value[0];
  if (own) return made(own);

  if (!(await order.holdsLease())) return { outcome: 'unknown', detail: 'the lease was lost before the call' };
  const created = await client.templates.create(resolved.body, resolved.values);
  if (created.kind === 'refused') return failed(created);
  // An answer that was lost is made up for by looking for the name.
  const stored =
    created.kind === 'confirmed'
      ? await client.templates.byId(created.value.id)
      : await firstOf(client.templates.byName(candidate.name));
  if (stored.kind !== 'confirmed') return failed(stored);
  if (stored.value === null) {
    const detail = created.kind === 'confirmed' ? 'made, but not listed yet' : created.detail;
    return { outcome: 'unknown', detail };
  }
  return made(stored.value);
}

/** The stored template must be a new one, and hold what was sent. */
function judgeStored(
  row: TemplateRow,
  wanted: SealedContent,
  { knownIds }: TemplateOrder,
  { name, digest, image }: { readonly name: string; readonly digest: string; readonly image: string },
): MadeTemplate {
  const refused = (detail: string): MadeTemplate => ({ outcome: 'refused', class: 'config', detail });
  if (knownIds.includes(row.id)) {
    return refused(`template ${row.id} is in use: creating ${name} gave it back instead of a new one`);
  }
  const fields = differingFields(row.content, wanted);
  if (fields.length > 0) {
    return refused(`template ${row.id} of the name ${name} holds another ${fields.join(', ')} than was sent`);
  }
  if (row.hash === null) return { outcome: 'unknown', detail: `template ${row.id} has no hash` };
  return { outcome: 'made', id: row.id, hash: row.hash, name, digest, image };
}

const failed = (reply: Failure): MadeTemplate =>
  reply.kind === 'refused'
    ? { outcome: 'refused', class: reply.class, detail: reply.detail }
    : { outcome: 'unknown', detail: reply.detail };

async function firstOf(
  list: ReturnType<VastClient['templates']['byName']>,
): ReturnType<VastClient['templates']['byId']> {
  const reply = await list;
  return reply.kind === 'confirmed' ? { kind: 'confirmed', value: reply.value[0] ?? null } : reply;
}

export type TemplateCheck =
  | { readonly outcome: 'as-recorded' }
  | { readonly outcome: 'changed' | 'gone' | 'unknown' | 'denied'; readonly detail: string };

/** Whether a recorded template is still there, unedited: what a way back needs before anything is changed. */
export async function verifyTemplate(client: VastClient, { id, hash }: TemplateIdentity): Promise<TemplateCheck> {
  const reply = await client.templates.byId(id);
  if (reply.kind !== 'confirmed') return { outcome: isDenied(reply) ? 'denied' : 'unknown', detail: reply.detail };
  if (reply.value === null) return { outcome: 'gone', detail: `template ${id} is not there, or not to be seen` };
  const now = reply.value.hash;
  return now === hash
    ? { outcome: 'as-recorded' }
    : { outcome: 'changed', detail: `template ${id} was edited: its hash was ${hash}, it is ${now ?? 'unknown'}` };
}
