import type { EvidenceStore } from '@davit/event-log';
import { type HttpClient, type Logger, type Random, seededRandom } from '@davit/ports';
import { type Caller, Life, mortalClock, type Stage, type Tap, tapped } from '@davit/stage';
import { vastServerlessControllers } from '../../controllers.js';
import type { Prompt } from '../../load/prompts/prompt.js';
import { vastBackend } from '../../vast/backend.js';
import { VastClient } from '../../vast/client.js';
import type { VastSettings } from '../../vast/settings.js';
import { rolloutExpectation } from '../expected.js';
import type { RolloutPace } from '../pace.js';
import type { RolloutParts } from '../parts.js';
import { INSTALLATION, TIMINGS } from './setting.js';

export interface ServiceOptions {
  readonly stage: Stage;
  readonly http: HttpClient;
  readonly evidence: EvidenceStore;
  readonly settings: VastSettings;
  readonly logger: Logger;
  readonly prompts: () => readonly Prompt[];
  /** Surroundings that secrets come from. */
  readonly environment: Readonly<Record<string, string>>;
  readonly tap: Tap | undefined;
  readonly pace: RolloutPace;
  /** First part of the names of its instances. */
  readonly prefix: string;
}

const noCommands = { run: () => Promise.reject(new Error('this service runs no commands')) };

/** The service as a process that may be killed and stopped at any call; what takes over has the log alone. */
export class RolloutService implements Caller {
  readonly name = 'vast-serverless';
  private life = new Life();
  private starts = 0;

  constructor(private readonly options: ServiceOptions) {}

  get instanceId(): string {
    return `${this.options.prefix}-${this.starts}`;
  }

  start(): void {
    this.starts += 1;
    const life = new Life();
    this.life = life;
    const { stage, tap } = this.options;
    const clock = mortalClock(stage.clock, life);
    const ports = tapped({ log: stage.log, commands: noCommands, http: this.options.http, clock }, tap, this);
    const rollouts = this.parts(clock, life.wrap(ports.http), life.wrap(this.options.evidence));
    const controllers = vastServerlessControllers({ backend: rollouts.backend, rollouts, timings: TIMINGS });
    stage.start(controllers, this.instanceId, { life, clock, log: life.wrap(ports.log) });
  }

  /** kill -9. */
  crash(): void {
    this.life.end();
  }
  pause(): void {
    this.life.pause();
  }
  resume(): void {
    this.life.resume();
  }

  /** What rollouts are carried out with by an instance that has these ports. */
  parts(clock: RolloutParts['clock'], http: HttpClient, evidence: EvidenceStore): RolloutParts {
    const { settings, logger, environment, stage, prompts, pace } = this.options;
    const random: Random = seededRandom(5);
    const secrets = (name: string): string | undefined => environment[name];
    const client = new VastClient({ http, clock, random, settings });
    const expected = rolloutExpectation(stage.readModel(this.instanceId));
    const backend = vastBackend({ http, clock, random, settings, client, expected, secrets });
    return {
      ...{ clock, random, logger, http, client, backend, evidence, secrets },
      prompts: () => Promise.resolve(prompts()),
      ...{ installation: INSTALLATION, timings: TIMINGS, pace },
    };
  }
}
