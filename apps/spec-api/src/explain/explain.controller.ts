import { type ExplainView, type ParamsOf, type QueryOf, operations } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
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

function found(view: ExplainView | undefined, kind: 'replica' | 'deployment', key: string): ExplainView {
  if (view) return view;
  const detail = `There is no ${kind} ${JSON.stringify(key.slice(0, 120))}; see davit get ${kind}s --all.`;
  throw new ProblemError(404, 'not-found', 'Not found', detail);
}
