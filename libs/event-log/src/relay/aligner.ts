import type { Logger } from '@davit/ports';
import type { Mirror } from './mirror.js';
import { type MirrorPlan, placesToCompare, planMirror } from './plan.js';
import type { RelaySource } from './relay.js';
import type { RelayStats } from './stats.js';

/** Looks at mirror and log, and mends the mirror until it can be published to. */
export class MirrorAligner {
  constructor(
    private readonly source: RelaySource,
    private readonly mirror: Mirror,
    private readonly refillDepth: number,
    private readonly stats: RelayStats,
    private readonly logger: Logger,
  ) {}

  /** Position after which to publish. `suspect` is a position that the mirror refused. */
  async align(suspect?: number): Promise<number> {
    for (;;) {
      const plan = await this.look(suspect);
      if (plan.action === 'publish-after') return plan.position;
      await this.carryOut(plan);
    }
  }

  /** Where mirror and log stand, without mending anything. */
  async peek(): Promise<{ readonly mirrored: number | undefined; readonly head: number }> {
    const state = await this.mirror.state();
    const head = await this.source.head();
    this.stats.head = head;
    this.stats.mirrored = state?.lastSequence ?? 0;
    return { mirrored: state?.lastSequence, head };
  }

  private async look(suspect: number | undefined): Promise<MirrorPlan> {
    // This order: what a rival publishes meanwhile is in the log by the time that the head is read.
    const state = await this.mirror.state();
    const head = await this.source.head();
    this.stats.head = head;
    const compared = await Promise.all(
      placesToCompare(state, suspect)
        .filter((position) => position <= head)
        .map(async (position) => ({
          position,
          mirrored: await this.mirror.eventIdAt(position),
          logged: (await this.source.readEnvelopes(position - 1, 1))[0]?.id,
        })),
    );
    const { canStartAnywhere } = this.mirror;
    return planMirror({ mirror: state, head, compared }, { refillDepth: this.refillDepth, canStartAnywhere });
  }

  private async carryOut(plan: Exclude<MirrorPlan, { action: 'publish-after' }>): Promise<void> {
    switch (plan.action) {
      case 'create':
        await this.mirror.ensure();
        this.stats.created += 1;
        this.logger.warn({ plan }, 'the mirror of the log did not exist and was created');
        return;
      case 'start-at':
        await this.mirror.startAt(plan.position);
        this.logger.info({ plan }, 'the mirror of the log starts at a later position; older events are in the log');
        return;
      case 'rebuild':
        this.logger.error({ plan }, 'the mirror of the log shows another history and is being rebuilt');
        await this.mirror.remove();
        this.stats.rebuilt += 1;
        return;
    }
  }
}
