import type { BudgetView } from '@davit/contracts';
import {
  type BudgetAccount,
  type DeploymentState,
  type ReplicaState,
  type RolloutState,
  type TenantState,
  deploymentAccount,
  groupOf,
  tenantAccount,
} from '@davit/domain';
import type { ReadModel, StoredDocument } from '@davit/projection';
import { type ServicePorts, tokens } from '@davit/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { type Query as Parameters, onlyKnown, single } from '../queries/parameters.js';
import type { Listing } from '../queries/queries.controller.js';
import { budgetView } from './budget-view.js';

/** How the budgets stand, of deployments and of tenants: folded from the log as enforcement folds them. */
@Controller('v1')
export class BudgetsController {
  constructor(
    @Inject(tokens.SERVICE_PORTS) private readonly ports: Pick<ServicePorts, 'clock'>,
    @Inject(tokens.READ_MODEL) private readonly model: Pick<ReadModel, 'list' | 'position'>,
  ) {}

  /** Those of tenants first. */
  @Get('budgets')
  async budgets(@Query() query: Parameters): Promise<Listing<BudgetView>> {
    onlyKnown(query, ['tenant']);
    const tenant = single(query, 'tenant');
    const position = await this.model.position();
    const [tenants, deployments] = await Promise.all([
      this.model.list<TenantState>('tenant', tenant === undefined ? undefined : groupOf.tenant(tenant)),
      this.model.list<DeploymentState>('deployment', groupOf.budgeted),
    ]);
    const accounts = await Promise.all([
      ...tenants.map((stored) => this.ofTenant(stored)),
      ...deployments
        .filter(({ document }) => tenant === undefined || document.tenant === tenant)
        .map(async ({ key, document }) => ({
          account: deploymentAccount(
            document,
            await this.replicas(groupOf.deployment(key)),
            await this.rollouts(groupOf.rolloutsOf(key)),
          ),
          deployments: [document],
        })),
    ]);
    const nowMs = this.ports.clock.nowMs();
    const items = accounts.flatMap(({ account, deployments: of }) =>
      account ? [budgetView(account, of, nowMs, position)] : [],
    );
    return { position, items };
  }

  private async ofTenant({ key, document }: StoredDocument<TenantState>): Promise<Found> {
    const deployments = await this.model.list<DeploymentState>('deployment', groupOf.tenant(key));
    const of = groupOf.tenant(key);
    const account = document.budget
      ? tenantAccount(document, await this.replicas(of), new Map(), await this.rollouts(of))
      : undefined;
    return { account, deployments: deployments.map((stored) => stored.document) };
  }

  private async rollouts(group: string): Promise<readonly RolloutState[]> {
    const found = await this.model.list<RolloutState>('rollout', group);
    return found.map(({ document }) => document);
  }

  private async replicas(group: string): Promise<readonly ReplicaState[]> {
    const found = await this.model.list<ReplicaState>('replica', group);
    return found.map(({ document }) => document);
  }
}

interface Found {
  readonly account: BudgetAccount | undefined;
  readonly deployments: readonly DeploymentState[];
}
