import type { FieldProblem } from '../problem.js';
import type { DeploymentManifest } from './manifest.js';

type Spec = DeploymentManifest['spec'];
type Serverless = Extract<Spec['compute'], { mode: 'serverless' }>;

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
  if (workers.targetQueueTime > workers.maxQueueTime) {
    problems.push({
      path: 'spec.compute.workers.targetQueueTime',
      message: 'is longer than spec.compute.workers.maxQueueTime',
      remedy: 'Lower the target or raise the maximum.',
    });
  }
  return problems;
}
