/** What a relay can tell about itself; counters only grow. */
export interface RelayStats {
  /** True while this relay publishes by right of its lease, or without one if it was given no leases. */
  leading: boolean;
  /** Last position known to be in the mirror. */
  mirrored: number;
  /** Last position known to be in the log. */
  head: number;
  published: number;
  /** Of those published: already there, put by a rival. */
  duplicates: number;
  refusals: number;
  created: number;
  /** Mirrors thrown away because they showed another history. */
  rebuilt: number;
  faults: number;
  lastFault: string | undefined;
  /** True from a fault until the next step that ends well. */
  failing: boolean;
}

export const newRelayStats = (): RelayStats => ({
  leading: false,
  mirrored: 0,
  head: 0,
  published: 0,
  duplicates: 0,
  refusals: 0,
  created: 0,
  rebuilt: 0,
  faults: 0,
  lastFault: undefined,
  failing: false,
});

/** Events that are in the log and not yet in the mirror, as far as this relay knows. */
export const relayLag = ({ head, mirrored }: RelayStats): number => Math.max(0, head - mirrored);
