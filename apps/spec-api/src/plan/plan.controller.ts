import {
  type FieldProblem,
  type NormalisedDeployment,
  type PlanView,
  operations,
  parseDeployment,
  stream,
} from '@davit/contracts';
import { declare, evolveDeployment } from '@davit/domain';
import { ProblemError, type ServicePorts, tokens } from '@davit/service-kit';
import { Body, Controller, Inject } from '@nestjs/common';
import { mustBeTheirs } from '../access/problems.js';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { readApply } from '../intents/intent-body.js';
import { Serves } from '../operations/serves.js';
import { ASSESS } from '../tokens.js';
import type { Assess } from './assess.js';
import { readKnown } from './known.js';
import { plan } from './plan.js';

@Controller()
export class PlanController {
  constructor(
    @Inject(tokens.SERVICE_PORTS) private readonly ports: Pick<ServicePorts, 'ids'>,
    @Inject(ASSESS) private readonly assess: Assess,
  ) {}

  /** What applying this would do. Nothing is written, nothing is rented, and no provider is asked to do anything. */
  @Serves(operations.plan)
  async plan(@Asked() asking: Asking, @Body() body: unknown): Promise<PlanView> {
    const wanted = this.read(body);
    mustBeTheirs(asking.principal, wanted.metadata.tenant);
    const { model, log, nowMs } = await asking.view();
    const past = await log.readStream(stream.deployment(`${wanted.metadata.tenant}/${wanted.metadata.name}`));
    const state = past.reduce(evolveDeployment, undefined);
    const decision = declare(state, wanted, this.ports.ids.uuid());
    if (decision.outcome === 'refused') {
      const { code, detail, remedy } = decision;
      throw new ProblemError(409, code, 'It cannot be applied', detail, [{ path: '', message: detail, remedy }]);
    }
    const { compute } = wanted.spec;
    const [advice, known] = await Promise.all([
      compute.mode === 'elastic' ? this.assess(compute.placements, compute.diskGiB) : this.assess([]),
      readKnown(model, wanted),
    ]);
    const view = plan({ state, wanted, decision, signals: advice.signals, known, nowMs });
    if (advice.missing === null) return view;
    return { ...view, notes: [...view.notes, `Stock and prices are unknown: ${advice.missing}.`] };
  }

  private read(body: unknown): NormalisedDeployment {
    const read = readApply(body);
    if (!read.ok) throw invalid(read.problems);
    const parsed = parseDeployment(read.content);
    if (!parsed.ok) throw invalid(parsed.problems);
    return parsed.deployment;
  }
}

function invalid(problems: readonly FieldProblem[]): ProblemError {
  const detail = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new ProblemError(422, 'invalid-spec', 'The specification is not valid', detail.slice(0, 1_000), problems);
}
