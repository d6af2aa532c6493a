/** How a state is to be taken. Each has a colour and a form of its own, beside its word. */
export type Tone = 'good' | 'progress' | 'waiting' | 'ending' | 'bad' | 'gone' | 'unknown';

const REPLICAS: Readonly<Record<string, Tone>> = {
  serving: 'good',
  ready: 'good',
  requested: 'progress',
  launching: 'progress',
  loading: 'progress',
  waiting: 'waiting',
  draining: 'ending',
  drained: 'ending',
  deleting: 'ending',
  failed: 'bad',
  quarantined: 'bad',
  deleted: 'gone',
};

export const toneOfReplica = (state: string): Tone => REPLICAS[state] ?? 'unknown';

/** In the order in which a fleet is told. */
export const REPLICA_STATES = Object.keys(REPLICAS);

/** States in which nothing was rented yet, or nothing is any more. */
const FREE: ReadonlySet<string> = new Set(['requested', 'waiting', 'deleted']);
export const mayBill = (state: string): boolean => !FREE.has(state);

export interface ConditionWord {
  readonly condition: string;
  readonly status: string;
}

export function toneOfCondition({ condition, status }: ConditionWord): Tone {
  if (status === 'unknown') return 'unknown';
  if (condition === 'Progressing') return status === 'true' ? 'progress' : 'gone';
  return status === 'true' ? 'good' : 'bad';
}

export const toneOfDeployment = (deployment: {
  readonly status: string;
  readonly conditions: readonly ConditionWord[];
  readonly desiredReplicas: number;
}): { readonly tone: Tone; readonly word: string } => {
  if (deployment.status === 'deleting') return { tone: 'ending', word: 'deleting' };
  if (deployment.status === 'deleted') return { tone: 'gone', word: 'deleted' };
  const of = (condition: string): string | undefined =>
    deployment.conditions.find((one) => one.condition === condition)?.status;
  if (of('WithinBudget') === 'false') return { tone: 'bad', word: 'over budget' };
  if (of('Available') === 'true') {
    return of('Progressing') === 'true' ? { tone: 'progress', word: 'changing' } : { tone: 'good', word: 'available' };
  }
  if (of('Progressing') === 'true') return { tone: 'progress', word: 'progressing' };
  return of('Available') === 'false' ? { tone: 'bad', word: 'unavailable' } : { tone: 'unknown', word: 'unknown' };
};
