import {
  type BodyOf,
  type FieldProblem,
  type NormalisedDeployment,
  type WhatIfView,
  operations,
  parseDeployment,
} from '@davit/contracts';
import { ProblemError } from '@davit/service-kit';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { FewAtOnce } from '../asking/few-at-once.js';
import { ReadBody } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { mustExist } from '../queries/existing.js';
import { replayWindow } from './whatif.js';
import { windowOf } from './window.js';

/** More slots than this make an answer that nobody reads. */
const MAX_REPLICAS = 100;

/** What would have been decided, waited for and spent, had another specification or policy been in place. */
@Controller()
export class WhatIfController {
  private readonly few = new FewAtOnce('replays');

  /** Nothing is written, and no provider is asked anything. */
  @Serves(operations.whatIf)
  async whatIf(@Asked() asking: Asking, @ReadBody() asked: BodyOf<typeof operations.whatIf>): Promise<WhatIfView> {
    const spec = asked.deployment === undefined ? null : specIn(asked.deployment);
    const against = asked.against ?? null;
    if (!spec && against === null)
      throw invalid([
        {
          path: 'deployment',
          message: 'is missing',
          remedy: 'Send a specification, or name a deployment with against.',
        },
      ]);
    const view = await asking.view();
    if (against !== null) await mustExist(view, against, 'against');
    const { from, to, objective } = asked;
    const window = windowOf({ from, to }, view.nowMs);
    return this.few.run(() => replayWindow(view, { spec, objective, against, ...window }));
  }
}

function specIn(content: unknown): NormalisedDeployment {
  const parsed = parseDeployment(content);
  if (!parsed.ok) throw invalid(parsed.problems);
  const { compute, scaling } = parsed.deployment.spec;
  if (compute.mode !== 'elastic')
    throw invalid([
      {
        path: 'spec.compute.mode',
        message: `${compute.mode} has no placements to choose from`,
        remedy: 'Write elastic.',
      },
    ]);
  if (scaling.replicas > MAX_REPLICAS)
    throw invalid([
      {
        path: 'spec.scaling.replicas',
        message: `${scaling.replicas} is more than is replayed`,
        remedy: `Write at most ${MAX_REPLICAS}.`,
      },
    ]);
  return parsed.deployment;
}

function invalid(problems: readonly FieldProblem[]): ProblemError {
  const detail = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new ProblemError(422, 'invalid-request', 'The request is not valid', detail.slice(0, 1_000), problems);
}
