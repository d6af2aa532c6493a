import { type WorldClock } from '../clock.js';
import { type ModelServerConfig } from './config.js';
import { Engine, type Pace } from './engine.js';
import { type EngineStats } from './stats.js';
import { shareOf, type Traffic } from './traffic.js';

/** The engines of one server, one for each data-parallel rank. */
export class EnginePool {
  private readonly engines: readonly Engine[];

  constructor(
    private readonly config: ModelServerConfig,
    clock: WorldClock,
  ) {
    this.engines = Array.from({ length: config.dataParallel }, () => new Engine(config, clock));
  }

  /** The engine with the least to do. */
  leastBusy(): Engine {
    const work = ({ stats }: Engine): number => stats.running + stats.waiting;
    return this.engines.reduce((best, engine) => (work(engine) < work(best) ? engine : best));
  }

  standStill(stands: boolean): void {
    for (const engine of this.engines) engine.standStill(stands);
  }

  /** What is not given is as configured. */
  setPace({ firstTokenMs = this.config.firstTokenMs, tokenMs = this.config.tokenMs }: Partial<Pace> = {}): void {
    for (const engine of this.engines) engine.pace = { firstTokenMs, tokenMs };
  }

  believe(traffic: Traffic): void {
    this.engines.forEach((engine, index) => engine.believe(shareOf(traffic, index, this.engines.length)));
  }

  /** The books of every engine, up to the present. */
  books(): readonly EngineStats[] {
    return this.engines.map((engine) => {
      engine.settle();
      return engine.stats;
    });
  }
}
