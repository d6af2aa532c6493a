import type { DeploymentSpec } from '@davit/contracts';
import type { ProbeResult, ReplicaState } from '@davit/domain';
import type { LoadReading } from '../metrics/load.js';

/** What one look at a model server came to. */
export type Probed = {
  readonly replica: Pick<ReplicaState, 'id' | 'tenant' | 'deployment' | 'servedName'>;
  readonly spec: { readonly runtime: Pick<DeploymentSpec['runtime'], 'engine'> };
  readonly result: ProbeResult;
  /** Null where its metrics were not read this time. */
  readonly reading: LoadReading | null;
};

/** Told of every probe, and of replicas that are no longer watched. It must not throw. */
export type ProbeObserver = {
  probed(seen: Probed): void;
  forgotten(replicaId: string): void;
};

/** Tells several, in order. */
export const observers = (...all: readonly ProbeObserver[]): ProbeObserver => ({
  probed: (seen) => all.forEach((one) => one.probed(seen)),
  forgotten: (id) => all.forEach((one) => one.forgotten(id)),
});
