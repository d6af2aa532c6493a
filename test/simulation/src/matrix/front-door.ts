import type { IntentAnswer } from '@davit/contracts';
import { lifecycleProjection } from '@davit/domain';
import { type Clock, type Ids, type Random, seededRandom, sequentialIds, sleep } from '@davit/ports';
import { IntentHandler, type IntentOrigin } from '@davit/spec-api';
import type { Simulation } from '../simulation.js';
import { type Caller, Life, type Tap, tappedLog } from '@davit/stage';

const PATIENCE_MS = 5_000;
const LIMIT_MS = 30 * 60_000;

type Ask = (handler: IntentHandler, origin: IntentOrigin) => Promise<IntentAnswer>;

/** The front door as a process that may die, and its user: who hears no answer says the same again under the same key. */
export class FrontDoor implements Caller {
  readonly name = 'spec-api';
  private readonly ids: Ids = sequentialIds(7);
  private readonly random: Random = seededRandom(7);
  private life = new Life();
  private wishes = 0;

  constructor(
    private readonly simulation: Simulation,
    private readonly tap: Tap | undefined,
  ) {}

  start(): void {
    this.life = new Life();
  }
  crash(): void {
    this.life.end();
  }
  pause(): void {
    this.life.pause();
  }
  resume(): void {
    this.life.resume();
  }

  async ask(ask: Ask): Promise<IntentAnswer> {
    const { clock } = this.simulation;
    const idempotencyKey = `wish-${++this.wishes}`;
    let answer: IntentAnswer | undefined;
    const insist = async (): Promise<void> => {
      while (!answer) {
        const handler = this.handler(clock);
        const asked = ask(handler, { channel: 'http', idempotencyKey }).catch(() => undefined);
        answer = (await Promise.race([asked, sleep(clock, PATIENCE_MS)])) ?? answer;
        if (!answer) await sleep(clock, 500);
      }
    };
    void insist();
    await this.simulation.runUntil(() => Promise.resolve(answer !== undefined), LIMIT_MS);
    if (!answer) throw new Error('the front door never answered');
    return answer;
  }

  private handler(clock: Clock): IntentHandler {
    const log = this.life.wrap(tappedLog(this.simulation.log, this.tap, this));
    const model = this.simulation.service('orchestrator').stores.store(lifecycleProjection);
    return new IntentHandler({ log, model, clock, ids: this.ids, random: this.random }, this.name);
  }
}
