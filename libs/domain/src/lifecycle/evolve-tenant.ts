import type { RecordedEvent, SpendLimits } from '@davit/contracts';

/** What was set for a whole tenant. */
export type TenantState = {
  readonly tenant: string;
  readonly budget: SpendLimits | null;
  /** From here on spend counts against `budget.maxTotal`: when limits were first set, and none were before. */
  readonly budgetSince: string | null;
  /** Version of the stream `tenant/<name>`. */
  readonly version: number;
};

export function evolveTenant(state: TenantState | undefined, event: RecordedEvent): TenantState | undefined {
  if (event.type !== 'davit.tenant.budget-set') return state;
  const { budget } = event.data;
  return {
    tenant: event.tenant,
    budget,
    budgetSince: budget ? (state?.budgetSince ?? event.time) : null,
    version: event.version,
  };
}
