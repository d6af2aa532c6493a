import type { FieldProblem } from '../problem.js';
import type { DeploymentManifest } from './manifest.js';
import { EVIDENCE_KEYS } from './rollout.js';

type Spec = DeploymentManifest['spec'];

/** Mistakes of `spec.rollout` that no single field shows. */
export function rolloutProblems({ rollout, compute, budget }: Spec): FieldProblem[] {
  if (rollout.strategy !== 'evidence') return strayKeys(rollout);
  if (compute.mode !== 'serverless') {
    return [
      problem(
        'spec.rollout.strategy',
        `"evidence" contradicts mode "${compute.mode}": it rolls a template over the workers of one endpoint`,
        'Write "surge" or "in-place", or use compute.mode "serverless".',
      ),
    ];
  }
  return [...missing(rollout), ...promises(rollout), ...limits(rollout, compute), ...currencies(rollout, budget)];
}

const strayKeys = (rollout: Spec['rollout']): FieldProblem[] =>
  EVIDENCE_KEYS.filter((key) => rollout[key] !== undefined).map((key) =>
    problem(
      `spec.rollout.${key}`,
      `has no meaning with strategy "${rollout.strategy}"`,
      'Remove it, or write strategy "evidence".',
    ),
  );

const NEEDED = [
  ['objectives', 'Write at least one objective, for example latencyP95: 2s.'],
  ['load', 'Write requestsPerSecond, prompts and maxSpend of the load that the candidate must bear.'],
  ['canary', 'Write maxSpend: what the endpoint that proves the candidate may cost.'],
] as const;

const missing = (rollout: Spec['rollout']): FieldProblem[] =>
  NEEDED.filter(([key]) => rollout[key] === undefined).map(([key, remedy]) =>
    problem(`spec.rollout.${key}`, 'is missing: strategy "evidence" judges by it', remedy),
  );

function promises({ objectives }: Spec['rollout']): FieldProblem[] {
  if (!objectives) return [];
  const problems: FieldProblem[] = [];
  const { latencyP50, latencyP95, latencyP99, errorRate, queueTimeP95 } = objectives;
  if ([latencyP50, latencyP95, latencyP99, errorRate, queueTimeP95].every((value) => value === undefined)) {
    problems.push(
      problem(
        'spec.rollout.objectives',
        'promises neither latency, errors nor queue time, so no candidate could be judged',
        'Write at least one of latencyP50, latencyP95, latencyP99, errorRate, queueTimeP95.',
      ),
    );
  }
  const rising = [
    ['latencyP50', latencyP50],
    ['latencyP95', latencyP95],
    ['latencyP99', latencyP99],
  ] as const;
  const stated = rising.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
  stated.forEach(({ key, value }, index) => {
    const before = stated[index - 1];
    if (before && before.value > value) {
      problems.push(
        problem(
          `spec.rollout.objectives.${key}`,
          `${value} ms is less than ${before.key} (${before.value} ms)`,
          'Raise it: a higher percentile is never faster.',
        ),
      );
    }
  });
  return problems;
}

type Serverless = Extract<Spec['compute'], { mode: 'serverless' }>;

function limits({ load, canary, acceptance }: Spec['rollout'], { workers }: Serverless): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (load && load.maxDuration < 3 * load.rampDuration) {
    problems.push(
      problem(
        'spec.rollout.load.maxDuration',
        `${load.maxDuration} ms is less than three ramps of ${load.rampDuration} ms`,
        'Raise it, or shorten rampDuration.',
      ),
    );
  }
  if (canary && canary.maxWorkers > workers.max) {
    problems.push(
      problem(
        'spec.rollout.canary.maxWorkers',
        `${canary.maxWorkers} is more than spec.compute.workers.max (${workers.max})`,
        'Lower it, or raise max.',
      ),
    );
  }
  // A canary keeps one worker at least; why it needs another, see serverless-problems.
  if (canary?.maxWorkers === 1) {
    problems.push(
      problem(
        'spec.rollout.canary.maxWorkers',
        'is 1, which is the worker that a canary keeps: Vast then creates and destroys it over and over',
        'Raise it to 2 or more.',
      ),
    );
  }
  const least = load && acceptance ? acceptance.minimumSamples / load.requestsPerSecond : 0;
  if (acceptance && least * 1_000 > acceptance.deadline) {
    problems.push(
      problem(
        'spec.rollout.acceptance.deadline',
        `${acceptance.deadline} ms is too short for ${acceptance.minimumSamples} samples at the expected load (${Math.ceil(least)} s)`,
        'Raise it, or lower minimumSamples.',
      ),
    );
  }
  return problems;
}

function currencies(rollout: Spec['rollout'], budget: Spec['budget']): FieldProblem[] {
  const own = rollout.currency ?? 'USD';
  if (!budget || budget.currency === own) return [];
  return [
    problem(
      'spec.rollout.currency',
      `"${own}" differs from spec.budget.currency ("${budget.currency}")`,
      `Write "${budget.currency}": amounts of two currencies cannot be compared.`,
    ),
  ];
}

const problem = (path: string, message: string, remedy: string): FieldProblem => ({ path, message, remedy });
