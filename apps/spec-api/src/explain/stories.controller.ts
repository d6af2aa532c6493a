import { type ExplainView, type ParamsOf, type QueryOf, operations } from '@davit/contracts';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { found } from '../queries/existing.js';
import type { StoryPage, Told } from './answer.js';
import { explainAlarm } from './stories/alarm.js';
import { explainBudget } from './stories/budget.js';
import { explainCost } from './stories/cost.js';
import { explainOrphan } from './stories/orphan.js';
import { explainRollout, explainVerdict } from './stories/rollout.js';
import { explainRoute } from './stories/route.js';
import { explainWait } from './stories/wait.js';

type Teller = (told: Told, name: string, page: StoryPage) => Promise<ExplainView | undefined>;

/** How it came to routes, waits, costs, rollouts, verdicts, alarms, orphans and budgets. */
@Controller()
export class StoriesController {
  @Serves(operations.explainRoute)
  route(
    @Asked() asking: Asking,
    @ReadParams() { tenant, alias }: ParamsOf<typeof operations.explainRoute>,
    @ReadQuery() page: QueryOf<typeof operations.explainRoute>,
  ): Promise<ExplainView> {
    return tell(asking, explainRoute, 'route', `${tenant}/${alias}`, page);
  }

  @Serves(operations.explainWait)
  wait(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name }: ParamsOf<typeof operations.explainWait>,
    @ReadQuery() page: QueryOf<typeof operations.explainWait>,
  ): Promise<ExplainView> {
    return tell(asking, explainWait, 'replica', `${tenant}/${name}`, page);
  }

  @Serves(operations.explainCost)
  cost(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name }: ParamsOf<typeof operations.explainCost>,
    @ReadQuery() page: QueryOf<typeof operations.explainCost>,
  ): Promise<ExplainView> {
    return tell(asking, explainCost, 'deployment', `${tenant}/${name}`, page);
  }

  @Serves(operations.explainRollout)
  rollout(
    @Asked() asking: Asking,
    @ReadParams() { tenant, rollout }: ParamsOf<typeof operations.explainRollout>,
    @ReadQuery() page: QueryOf<typeof operations.explainRollout>,
  ): Promise<ExplainView> {
    return tell(asking, explainRollout, 'rollout', `${tenant}/${rollout}`, page);
  }

  @Serves(operations.explainVerdict)
  verdict(
    @Asked() asking: Asking,
    @ReadParams() { tenant, rollout }: ParamsOf<typeof operations.explainVerdict>,
    @ReadQuery() page: QueryOf<typeof operations.explainVerdict>,
  ): Promise<ExplainView> {
    return tell(asking, explainVerdict, 'rollout', `${tenant}/${rollout}`, page);
  }

  @Serves(operations.explainAlarm)
  async alarm(
    @Asked() asking: Asking,
    @ReadQuery() { alarm, about, ...page }: QueryOf<typeof operations.explainAlarm>,
  ): Promise<ExplainView> {
    const view = await explainAlarm(await asking.view(), { alarm, about }, page);
    return found(view, 'alarm', `${alarm} ${about}`);
  }

  @Serves(operations.explainOrphan)
  orphan(
    @Asked() asking: Asking,
    @ReadParams() { key }: ParamsOf<typeof operations.explainOrphan>,
    @ReadQuery() page: QueryOf<typeof operations.explainOrphan>,
  ): Promise<ExplainView> {
    return tell(asking, explainOrphan, 'orphan', key, page);
  }

  @Serves(operations.explainBudget)
  budget(
    @Asked() asking: Asking,
    @ReadParams() { tenant }: ParamsOf<typeof operations.explainBudget>,
    @ReadQuery() { deployment, ...page }: QueryOf<typeof operations.explainBudget>,
  ): Promise<ExplainView> {
    const name = deployment === undefined ? tenant : `${tenant}/${deployment}`;
    return tell(asking, explainBudget, deployment === undefined ? 'budget' : 'deployment', name, page);
  }
}

const tell = async (
  asking: Asking,
  teller: Teller,
  kind: Parameters<typeof found>[1],
  name: string,
  page: StoryPage,
): Promise<ExplainView> => found(await teller(await asking.view(), name, page), kind, name);
