import type { Cancel } from '@davit/ports';
import type { ProjectionRunner } from './runner.js';
import type { VersionedProjectionOptions } from './versioned-projection.js';

const LOOK_MS = 250;
const DEFAULT_FLIP_BELOW_LAG = 100;
/** Stands for tables that nobody has filled. */
const NO_CHECKPOINT = -1;
const DEFAULT_RETIRE_AFTER_MS = 600_000;

/** Moves the readers' pointer to this version once it is close enough to the log, and drops what nobody folds any more. */
export class Switchover {
  /** True once the pointer is at this version. */
  done = false;
  private ended = false;
  private cancel: Cancel = () => undefined;
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: VersionedProjectionOptions,
    private readonly runner: ProjectionRunner,
  ) {}

  start(): void {
    this.after(0, () => this.flipWhenClose());
  }

  async stop(): Promise<void> {
    this.ended = true;
    this.cancel();
    await this.work;
  }

  private async flipWhenClose(): Promise<void> {
    const { stores, definition, logger, flipBelowLag, retireAfterMs } = this.options;
    const status = this.runner.status();
    const close = status.state === 'live' || (status.head > 0 && status.lag < (flipBelowLag ?? DEFAULT_FLIP_BELOW_LAG));
    const previous = await stores.activeVersion(definition.name);
    if (previous !== undefined && (status.state === 'stopped' || !close)) {
      this.after(LOOK_MS, () => this.flipWhenClose());
      return;
    }
    if (previous !== definition.version) {
      await stores.activate(definition);
      logger.info(
        { projection: definition.name, version: definition.version, previous },
        'projection version took over',
      );
    }
    this.done = true;
    const positions = await this.positionsOfOthers();
    if (positions.size > 0) this.after(retireAfterMs ?? DEFAULT_RETIRE_AFTER_MS, () => this.retire(positions));
  }

  /** A version whose checkpoint stood still while the log went on has no runner. Dropped too early it would only be rebuilt. */
  private async retire(before: ReadonlyMap<number, number>): Promise<void> {
    const { stores, definition, log, logger, retireAfterMs } = this.options;
    const active = await stores.activeVersion(definition.name);
    const head = await log.head();
    const now = await this.positionsOfOthers();
    for (const [version, position] of now) {
      if (version === active || position !== before.get(version) || position >= head) continue;
      await stores.drop({ name: definition.name, version });
      now.delete(version);
      logger.info({ projection: definition.name, version }, 'tables of a projection version dropped');
    }
    if (now.size > 0) this.after(retireAfterMs ?? DEFAULT_RETIRE_AFTER_MS, () => this.retire(now));
  }

  private async positionsOfOthers(): Promise<Map<number, number>> {
    const { stores, definition } = this.options;
    const others = (await stores.versions(definition.name)).filter((version) => version !== definition.version);
    const positions = new Map<number, number>();
    for (const version of others) {
      const position = stores.store({ name: definition.name, version }).position();
      positions.set(version, await position.catch(() => NO_CHECKPOINT));
    }
    return positions;
  }

  private after(delayMs: number, task: () => Promise<void>): void {
    if (this.ended) return;
    this.cancel = this.options.clock.schedule(delayMs, () => {
      this.work = task().catch((error: unknown) => {
        const { logger, definition } = this.options;
        logger.warn(
          { err: error, projection: definition.name },
          'the switch between projection versions will be tried again',
        );
        this.after(LOOK_MS * 4, task);
      });
    });
  }
}
