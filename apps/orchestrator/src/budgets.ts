import { stream } from '@davit/contracts';
import { type BudgetAccount, type DeploymentState, type TenantState, groupOf } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { AppendOptions } from '@davit/reconcile';
import { accountOfDeployment, accountOfTenant } from '@davit/service-kit';

type Requires = NonNullable<AppendOptions['requires']>;

/**
 * The streams in which budgets of a deployment are set, as they were read. What spends requires them: a budget that was set
 * meanwhile, the first one above all, is one that it did not reckon with. Ask before the budgets are read.
 */
export async function settingsOf(model: ReadModel, { key, tenant, version }: DeploymentState): Promise<Requires> {
  const shared = await tenantIn(model, tenant);
  return [
    { stream: stream.deployment(key), version },
    { stream: stream.tenant(tenant), version: shared?.version ?? 0 },
  ];
}

/** Reads budgets with all that counts against them; nothing of it where none is set. */
export class BudgetReader {
  /** What was read at a position: the many who spend from one budget ask mostly with nothing new between two of them. */
  private readonly known = new Map<string, Promise<Account>>();
  private position: number | undefined;

  /** The budgets that hold for a deployment: its own, and its tenant's. */
  async accountsOf(model: ReadModel, deployment: DeploymentState): Promise<readonly BudgetAccount[]> {
    const [own, shared] = await Promise.all([
      this.ofDeployment(model, deployment),
      this.ofTenant(model, deployment.tenant),
    ]);
    return [own, shared].flatMap((account) => account ?? []);
  }

  /** Every budget that is set. */
  async all(model: ReadModel): Promise<readonly BudgetAccount[]> {
    const [deployments, tenants] = await Promise.all([
      model.list<DeploymentState>('deployment', groupOf.budgeted),
      model.list<TenantState>('tenant'),
    ]);
    const accounts = await Promise.all([
      ...deployments.map(({ document }) => this.ofDeployment(model, document)),
      ...tenants.map(({ key }) => this.ofTenant(model, key)),
    ]);
    return accounts.flatMap((account) => account ?? []);
  }

  private async ofDeployment(model: ReadModel, deployment: DeploymentState): Promise<Account> {
    if (!deployment.spec.spec.budget) return undefined;
    // By its version too: it may have been read before the position is.
    return this.once(model, `${deployment.key}@${deployment.version}`, () =>
      accountOfDeployment(model, deployment, 'needed'),
    );
  }

  private async ofTenant(model: ReadModel, tenant: string): Promise<Account> {
    if (!(await tenantIn(model, tenant))?.budget) return undefined;
    return this.once(model, tenant, async () => {
      const state = await tenantIn(model, tenant);
      return state && accountOfTenant(model, state, 'needed');
    });
  }

  private async once(model: ReadModel, name: string, read: () => Promise<Account>): Promise<Account> {
    // Before the documents are read, so that they are never older than what they are kept for.
    const position = await model.position();
    if (position !== this.position) this.known.clear();
    this.position = position;
    const known = this.known.get(name);
    if (known) return known;
    const account = read();
    this.known.set(name, account);
    account.catch(() => {
      if (this.known.get(name) === account) this.known.delete(name);
    });
    return account;
  }
}

type Account = BudgetAccount | undefined;

const tenantIn = async (model: ReadModel, tenant: string): Promise<TenantState | undefined> =>
  (await model.get<TenantState>('tenant', tenant))?.document;
