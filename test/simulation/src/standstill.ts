import type { Clock, Random } from '@davit/ports';
import type { Call, Caller, Tap, Ways } from '@davit/stage';

/** Right after these a service acts at the provider: the worst moment to stand still. */
const INTENTS: ReadonlySet<string> = new Set(['davit.resource.launch-attempted', 'davit.resource.delete-attempted']);
const SHARE = 0.1;
/** Longer than a launch whose caller is not heard of is waited for. */
const LONGEST_MS = 240_000;

/** Stops an instance between the intent that it wrote and the call it is about to make, until others have taken over. */
export class StandstillBeforeCalls implements Tap {
  private clock: Clock | undefined;

  constructor(private readonly random: Random) {}

  /** Instances are stopped from now on. */
  begin(clock: Clock): void {
    this.clock = clock;
  }
  end(): void {
    this.clock = undefined;
  }

  async call<Value>(caller: Caller, call: Call, { go }: Ways<Value>): Promise<Value> {
    const value = await go();
    if (this.clock && call.port === 'append' && call.types.some((type) => INTENTS.has(type))) {
      if (this.random.next() < SHARE) {
        caller.pause();
        this.clock.schedule(5_000 + this.random.next() * (LONGEST_MS - 5_000), () => caller.resume());
      }
    }
    return value;
  }

  deliver(_caller: Caller, _events: unknown, go: () => Promise<void>): Promise<void> {
    return go();
  }
}
