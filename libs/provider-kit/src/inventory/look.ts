import { externalKey as externalKeySchema, InvalidEventError } from '@davit/contracts';
import {
  alarmKeyOf,
  decideHidden,
  decideMissing,
  decideSighting,
  ORPHAN_ALARM,
  orphanKeyOf,
  type OrphanRules,
  type OrphanState,
  type Settled,
} from '@davit/domain';
import { InvalidAppendError } from '@davit/event-log';
import type { ReconcileContext } from '@davit/reconcile';
import type { InventoryResult, InventoryRow, ProviderBackend } from '../backend.js';
import { canaryOwnerOf, isFrozen, type Owner, ownerOf, presentOwners } from './owners.js';
import { reap } from './reap.js';
import type { LookSchedule } from './schedule.js';

export interface LookParts {
  readonly context: ReconcileContext;
  readonly backend: ProviderBackend;
  /** Those of this backend that are open. */
  readonly orphans: readonly OrphanState[];
  readonly rules: OrphanRules;
  readonly schedule: LookSchedule;
}

type Listed = Extract<InventoryResult, { outcome: 'listed' }>;

/** One inventory of one backend, and what follows from it. */
export class Look {
  /** Position of the log before the provider was asked: a replica that has changed since is judged by the next look. */
  private basis = 0;

  constructor(private readonly parts: LookParts) {}

  async take(prefix: string): Promise<InventoryResult> {
    const { context, backend } = this.parts;
    this.basis = await context.model.position();
    try {
      return await backend.inventory(prefix);
    } catch (error) {
      context.logger.error({ err: error, adapter: backend.adapter }, 'a backend threw');
      return { outcome: 'unknown', detail: 'the backend failed' };
    }
  }

  async compare({ rows, sources }: Listed): Promise<void> {
    const { context, backend, orphans, schedule } = this.parts;
    const things = new Map(rows.filter((row) => this.isName(row)).map((row) => [this.keyOf(row), row]));
    schedule.saw(new Set(things.keys()), context.nowMs());
    const owners = await presentOwners(context, backend.adapter);
    for (const [key, row] of things) {
      const namesakes = rows.filter(({ externalKey }) => externalKey === row.externalKey);
      await this.apart(key, () => this.judge(key, row, namesakes, owners.get(row.externalKey)));
    }
    const hidden = new Map(rows.flatMap(({ behind = [] }) => behind.map((row) => [this.keyOf(row), row])));
    const inventory = { rows: rows.length, sources };
    for (const orphan of orphans) {
      if (things.has(orphan.key)) continue;
      await this.apart(orphan.key, () => this.judgeUnlisted(orphan, hidden.get(orphan.key), inventory));
    }
  }

  private async judgeUnlisted(
    orphan: OrphanState,
    hidden: InventoryRow | undefined,
    inventory: { readonly rows: number; readonly sources: readonly string[] },
  ): Promise<void> {
    const { context, backend: scope, rules } = this.parts;
    const alarmed = await this.isAlarmed(orphan.key);
    const nowMs = context.nowMs();
    const decision = hidden
      ? decideHidden({ scope, orphan, thing: hidden })
      : decideMissing({ scope, orphan, inventory, alarmed, rules, nowMs });
    await this.carryOut(decision, orphan.key);
  }

  private async judge(
    key: string,
    row: InventoryRow,
    namesakes: readonly InventoryRow[],
    present: Owner | undefined,
  ): Promise<void> {
    const { context, backend, orphans, rules, schedule } = this.parts;
    const { model } = context;
    const open = orphans.find((orphan) => orphan.key === key);
    // Most things are the only one of their name, and their owner's.
    if (present && !open && namesakes.length === 1) return;
    const stored = present ?? (await ownerOf(context, row.externalKey));
    const owner = stored?.document;
    if (stored && owner?.status === 'deleted' && stored.position > this.basis) return;
    const canary = owner ? undefined : await canaryOwnerOf(context, row.externalKey);
    if (canary && canary.position > this.basis) return;
    const nowMs = context.nowMs();
    const decision = decideSighting({
      scope: backend,
      thing: row,
      namesakes,
      owner,
      canaryOf: canary?.document,
      known: open ?? (await model.get<OrphanState>('orphan', key))?.document,
      firstSeenMs: schedule.firstSeen(key, nowMs),
      alarmed: await this.isAlarmed(key),
      frozen: await isFrozen(context),
      rules,
      nowMs,
    });
    if (decision.do === 'reap')
      await reap({ context, backend, row, namesakes, orphan: decision.orphan }, decision.attempt);
    else await this.carryOut(decision, key);
  }

  private async carryOut(decision: Settled, key: string): Promise<void> {
    if (decision.do === 'nothing') return;
    const { context } = this.parts;
    const result = await context.append(decision.writes, { tenant: decision.tenant });
    const facts = decision.writes.flatMap(({ events }) => events.map(({ type }) => type));
    context.logger.info({ thing: key, facts, result: result.outcome }, 'the inventory and the log differ');
  }

  /** One thing whose facts the log cannot take holds up no other (law 10). */
  private async apart(key: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isMalformed(error)) throw error;
      this.parts.context.logger.error({ err: error, thing: key }, 'a thing of the inventory could not be dealt with');
    }
  }

  /** What begins like a name of ours and cannot be one was named by somebody else. */
  private isName({ externalKey, source }: InventoryRow): boolean {
    const isName = externalKeySchema.safeParse(externalKey).success;
    if (!isName) this.parts.context.logger.warn({ externalKey, source }, 'a thing is named like ours, and is not');
    return isName;
  }

  private keyOf({ externalKey, providerId }: InventoryRow): string {
    return orphanKeyOf(this.parts.backend.adapter, externalKey, providerId);
  }

  private async isAlarmed(key: string): Promise<boolean> {
    const { model } = this.parts.context;
    return (await model.get('alarm', alarmKeyOf({ alarm: ORPHAN_ALARM, about: key }))) !== undefined;
  }
}

const isMalformed = (error: unknown): boolean =>
  error instanceof InvalidEventError || error instanceof InvalidAppendError;
