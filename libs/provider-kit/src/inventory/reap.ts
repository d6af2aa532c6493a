import type { NewEvent } from '@davit/contracts';
import { claimOf, isCanaryOf, type OrphanState, ownerStreamOf } from '@davit/domain';
import type { ReconcileContext } from '@davit/reconcile';
import type { DeleteResult, InventoryRow, ProviderBackend } from '../backend.js';
import { canaryOwnerOf, isFrozen, ownerOf } from './owners.js';

export interface ReapParts {
  readonly context: ReconcileContext;
  readonly backend: ProviderBackend;
  /** The orphan as the present inventory shows it. */
  readonly row: InventoryRow;
  readonly namesakes: readonly InventoryRow[];
  readonly orphan: OrphanState;
}

/**
 * Deletes an orphan: asked once more whether anybody owns it, intent, effect, outcome. The intent is refused by the log
 * itself if whoever owns the name has written anything in between.
 */
export async function reap(parts: ReapParts, attempt: number): Promise<void> {
  const { context, backend, row, namesakes, orphan } = parts;
  if (!backend.reap || !(await context.holdsLease()) || (await isFrozen(context))) return;
  const owner = (await ownerOf(context, row.externalKey))?.document;
  if (claimOf(row, namesakes, owner, orphan).whose !== 'nobody') return;
  const canary = (await canaryOwnerOf(context, row.externalKey))?.document;
  if (canary && isCanaryOf(canary, row.externalKey)) return;
  const owned = { stream: ownerStreamOf(backend, row.externalKey), version: owner?.versions.resource ?? 0 };
  const attempted = await append(parts, orphan.version, 'delete-attempted', { attempt, leaseEpoch: context.epoch }, [
    owned,
  ]);
  if (!attempted || !(await context.holdsLease())) return;
  const result = await ask(parts, backend.reap.bind(backend));
  context.logger.info({ thing: orphan.key, attempt, ...result }, 'asked the provider to end an orphan');
  const { outcome, detail } = result;
  const failure = outcome === 'refused' ? { class: result.class } : {};
  await append(parts, orphan.version + 1, `delete-${outcome}`, { attempt, detail: detail.slice(0, 2_000), ...failure });
}

async function ask(
  { context, row }: ReapParts,
  end: (row: InventoryRow) => Promise<DeleteResult>,
): Promise<DeleteResult> {
  try {
    return await end(row);
  } catch (error) {
    context.logger.error({ err: error }, 'a backend threw');
    return { outcome: 'unknown', detail: 'the backend failed' };
  }
}

type Fact = 'delete-attempted' | `delete-${DeleteResult['outcome']}`;

async function append(
  { context, backend, orphan }: ReapParts,
  expectedVersion: number,
  fact: Fact,
  data: object,
  requires: readonly { readonly stream: string; readonly version: number }[] = [],
): Promise<boolean> {
  const { externalKey, replicaId, tenant, key } = orphan;
  // Both categories share one set of data schemas, which the union of event types does not show.
  const event = {
    type: `davit.${backend.category}.${fact}`,
    data: { externalKey, replicaId, adapter: backend.adapter, ...data },
  } as unknown as NewEvent;
  const write = { stream: `${backend.category}/${key}`, expectedVersion, events: [event] } as const;
  return (await context.append([write], { tenant, requires })).outcome === 'appended';
}
