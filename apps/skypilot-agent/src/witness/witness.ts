import type { DeleteResult, SeenPhase, Unknown } from '@davit/provider-kit';
import type { HourlyPrice } from '@davit/contracts';

/** One machine as its own provider shows it. */
export interface WitnessedMachine {
  /** The provider's own identity of it; two machines of one name differ here. */
  readonly id: string;
  readonly name: string;
  readonly phase: SeenPhase;
  readonly price: HourlyPrice | null;
  /** `host:port` of every port that is reached from outside. */
  readonly addresses: readonly string[];
  readonly detail: string;
}

export type WitnessList = { readonly outcome: 'listed'; readonly machines: readonly WitnessedMachine[] } | Unknown;

/**
 * What a cloud itself says of our machines there, asked past the tool that rents them: its table may lose a machine that
 * runs and bills (skypilot #4431, #6349), the provider's bill does not.
 */
export interface CloudWitness {
  /** Name of the cloud, as placements have it. */
  readonly cloud: string;
  /** Name of this witness in events. */
  readonly source: string;
  /** Every machine whose name begins with `namePrefix`, from a look that began at most `maxAgeMs` ago. Never a part of them. */
  list(namePrefix: string, maxAgeMs: number): Promise<WitnessList>;
  /** Ends exactly the machine with this identity. */
  terminate(id: string): Promise<DeleteResult>;
}
