import { type ExplainView, type ParamsOf, type QueryOf, operations } from '@davit/contracts';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { found } from '../queries/existing.js';
import { Explainer } from './explainer.js';

/** How it came to what is now, line by line. A story longer than a page goes on with `after`. */
@Controller()
export class ExplainController {
  /** `name` is the replica's id without its tenant. */
  @Serves(operations.explainReplica)
  async replica(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name }: ParamsOf<typeof operations.explainReplica>,
    @ReadQuery() page: QueryOf<typeof operations.explainReplica>,
  ): Promise<ExplainView> {
    const id = `${tenant}/${name}`;
    return found(await new Explainer(await asking.view()).replica(id, page), 'replica', id);
  }

  @Serves(operations.explainDeployment)
  async deployment(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name }: ParamsOf<typeof operations.explainDeployment>,
    @ReadQuery() page: QueryOf<typeof operations.explainDeployment>,
  ): Promise<ExplainView> {
    const key = `${tenant}/${name}`;
    return found(await new Explainer(await asking.view()).deployment(key, page), 'deployment', key);
  }
}
