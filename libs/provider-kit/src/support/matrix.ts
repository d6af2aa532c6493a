/** How well something is known to work. Being bound in a process is no claim at all. */
export type SupportLevel =
  /** It can be asked for; nobody has shown that it works. */
  | 'experimental'
  /** Shown against the simulated provider, which speaks the real one's protocol. */
  | 'local-qualified'
  /** Shown against the real provider, with machines that were rented and paid for. */
  | 'real-qualified';

/** A file of this repository that shows it, and what kind of showing that is. */
export interface Evidence {
  /** `simulated`: a test against the simulated world; `real-run`: the record of a run against the provider itself. */
  readonly kind: 'simulated' | 'real-run';
  readonly path: string;
  readonly shows: string;
}

export interface SupportRow {
  readonly adapter: string;
  readonly cloud: string;
  readonly engine: string;
  readonly level: SupportLevel;
  readonly evidence: readonly Evidence[];
}

/** A claim that its evidence does not carry: a defect of the matrix. */
export class UnprovenSupportError extends Error {
  readonly code = 'unproven-support';
  constructor({ adapter, cloud, engine, level }: SupportRow, needed: string) {
    super(`${adapter} on ${cloud} with ${engine} is called ${level} without ${needed}; name it, or claim less`);
    this.name = 'UnprovenSupportError';
  }
}

/**
 * Checks that each claim has evidence of its kind.
 * @throws UnprovenSupportError
 */
export function supportMatrix(rows: readonly SupportRow[]): readonly SupportRow[] {
  for (const row of rows) {
    const has = (kind: Evidence['kind']): boolean => row.evidence.some((evidence) => evidence.kind === kind);
    if (row.level === 'real-qualified' && !has('real-run')) throw new UnprovenSupportError(row, 'a real run');
    if (row.level === 'local-qualified' && !has('simulated')) throw new UnprovenSupportError(row, 'a simulated one');
  }
  return rows;
}
