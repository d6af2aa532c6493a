import type { ExplainView } from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { type Query as Parameters, countOf, onlyKnown, wholeNumber } from '../queries/parameters.js';
import { Explainer, type StoryPage } from './explainer.js';

const LINES = 500;
const MAX_LINES = 1_000;

/** How it came to what is now, line by line. A story longer than a page goes on with `after`. */
@Controller('v1/explain')
export class ExplainController {
  /** `name` is the replica's id without its tenant. */
  @Get('replicas/:tenant/:name')
  async replica(
    @Asked() asking: Asking,
    @Param('tenant') tenant: string,
    @Param('name') name: string,
    @Query() query: Parameters,
  ): Promise<ExplainView> {
    const id = `${tenant}/${name}`;
    return found(await new Explainer(await asking.view()).replica(id, pageOf(query)), 'replica', id);
  }

  @Get('deployments/:tenant/:name')
  async deployment(
    @Asked() asking: Asking,
    @Param('tenant') tenant: string,
    @Param('name') name: string,
    @Query() query: Parameters,
  ): Promise<ExplainView> {
    const key = `${tenant}/${name}`;
    return found(await new Explainer(await asking.view()).deployment(key, pageOf(query)), 'deployment', key);
  }
}

function pageOf(query: Parameters): StoryPage {
  onlyKnown(query, ['after', 'limit']);
  return { after: wholeNumber(query, 'after', 0), limit: countOf(query, 'limit', LINES, MAX_LINES) };
}

function found(view: ExplainView | undefined, kind: 'replica' | 'deployment', key: string): ExplainView {
  if (view) return view;
  const detail = `There is no ${kind} ${JSON.stringify(key.slice(0, 120))}; see davit get ${kind}s --all.`;
  throw new ProblemError(404, 'not-found', 'Not found', detail);
}
