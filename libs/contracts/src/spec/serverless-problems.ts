import type { FieldProblem } from '../problem.js';
import type { DeploymentManifest } from './manifest.js';

type Spec = DeploymentManifest['spec'];
type Serverless = Extract<Spec['compute'], { mode: 'serverless' }>;

/** Workers that are kept where nothing is said: enough that the engine rents a first one at all. */
export const DEFAULT_COLD_WORKERS = 1;

/** Mistakes of a serverless deployment that no single field shows. */
export function serverlessProblems({ compute, scaling, secrets }: Spec): FieldProblem[] {
  if (compute.mode !== 'serverless') return [];
  return [...replicaProblems(scaling.replicas), ...templateProblems(compute, secrets), ...workerProblems(compute)];
}

const replicaProblems = (replicas: number | undefined): FieldProblem[] =>
  replicas === undefined || replicas <= 1
    ? []
    : [
        {
          path: 'spec.scaling.replicas',
          message: `${replicas} contradicts mode "serverless": the provider scales the workers of an endpoint`,
          remedy: 'Remove it, and set spec.compute.workers.',
        },
      ];

function templateProblems({ templateHash, template }: Serverless, secrets: Spec['secrets']): FieldProblem[] {
  if (template === undefined) {
    if (templateHash !== undefined) return [];
    const message = 'is missing: nothing says what the workers run';
    return [
      {
        path: 'spec.compute.templateHash',
        message,
        remedy: 'Name a template of Vast, or write spec.compute.template.',
      },
    ];
  }
  const remedy = 'Remove it: Davit makes a template of spec.compute.template.';
  const both = { path: 'spec.compute.templateHash', message: 'contradicts spec.compute.template', remedy };
  return [
    ...(templateHash === undefined ? [] : [both]),
    ...secrets
      .filter(({ name }) => name in template.env)
      .map(({ name }) => ({
        path: `spec.compute.template.env.${name}`,
        message: 'is a secret as well',
        remedy: 'Remove it here: its value comes from spec.secrets.',
      })),
  ];
}

function workerProblems({ workers }: Serverless): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const { cold, min, max } = workers;
  if (cold !== undefined && min !== undefined && cold !== min) {
    problems.push({
      path: 'spec.compute.workers.min',
      message: `${min} contradicts spec.compute.workers.cold (${cold}): both name the same bound`,
      remedy: 'Remove one of the two.',
    });
  }
  const floor = cold ?? min;
  if (floor !== undefined && floor > max) {
    const field = cold === undefined ? 'min' : 'cold';
    problems.push({
      path: `spec.compute.workers.${field}`,
      message: `${floor} is more than spec.compute.workers.max (${max})`,
      remedy: `Lower ${field} or raise max.`,
    });
  }
  // Reported by users of Vast: with one worker to keep and none to spare its engine creates and destroys it at every turn.
  if (max === 1 && (floor ?? DEFAULT_COLD_WORKERS) === 1) {
    problems.push({
      path: 'spec.compute.workers.max',
      message: 'is 1, and so is the number of workers that are kept: Vast then creates and destroys it over and over',
      remedy: 'Raise max to 2 or more, or set cold to 0.',
    });
  }
  if (workers.targetQueueTime > workers.maxQueueTime) {
    problems.push({
      path: 'spec.compute.workers.targetQueueTime',
      message: 'is longer than spec.compute.workers.maxQueueTime',
      remedy: 'Lower the target or raise the maximum.',
    });
  }
  return problems;
}
