import { type Cancel, type Clock, type Logger, type Random, jitter } from '@davit/ports';
import type { ReadModel, ScannedDocument } from '@davit/projection';

/** Documents that are read at once: they are parsed in one go, while nothing else that the service does goes on. */
const PAGE = 100;
const RETRY_MS = 1_000;

export interface ResyncOptions {
  readonly model: ReadModel;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly everyMs: number;
  visit(document: ScannedDocument): void;
  /** After each whole walk. */
  onWalked?(): void;
}

/** Walks all documents now and then, so that a wake-up lost anywhere costs time and nothing else. */
export class Resync {
  private cancel: Cancel = () => undefined;
  private walking = false;
  private again = false;
  private ended = false;
  private idle: Promise<void> = Promise.resolve();

  constructor(private readonly options: ResyncOptions) {}

  /** Walks at once; asked during a walk, walks once more after it. */
  now(): void {
    if (this.ended) return;
    if (this.walking) {
      this.again = true;
      return;
    }
    this.cancel();
    this.walking = true;
    this.idle = this.walk();
  }

  async stop(): Promise<void> {
    this.ended = true;
    this.cancel();
    await this.idle;
  }

  private async walk(): Promise<void> {
    let nextMs = jitter(this.options.random, this.options.everyMs);
    try {
      await this.visitAll();
      this.options.onWalked?.();
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the documents could not be walked');
      nextMs = RETRY_MS;
    }
    this.walking = false;
    if (this.ended) return;
    this.cancel = this.options.clock.schedule(this.again ? 0 : nextMs, () => this.now());
    this.again = false;
  }

  private async visitAll(): Promise<void> {
    let page = await this.options.model.scan(undefined, PAGE);
    while (page.length > 0 && !this.ended) {
      for (const document of page) this.options.visit(document);
      page = page.length < PAGE ? [] : await this.options.model.scan(page.at(-1), PAGE);
    }
  }
}
