import { counted } from '../counted.js';
import type { FieldProblem } from '../problem.js';
import { duplicates } from './duplicates.js';
import { elasticProblems } from './elastic-problems.js';
import type { DeploymentManifest } from './manifest.js';
import { rolloutProblems } from './rollout-problems.js';
import { serverlessProblems } from './serverless-problems.js';
import { isControlPlaneVariable, isReservedSecretName } from './secret-rules.js';

/** Engine arguments that Davit sets itself; a second value would contradict the first. */
const OWNED_ARGS = ['--served-model-name', '--host', '--port', '--api-key', '--revision'];

type ComputeManifest = DeploymentManifest['spec']['compute'];
type Direct = Extract<ComputeManifest, { mode: 'direct' }>;

/** Mistakes that no single field shows: two fields that contradict each other, or a value only a table can judge. */
export function contradictions({ metadata, spec }: DeploymentManifest): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (path: string, message: string, remedy: string): void => void problems.push({ path, message, remedy });

  spec.runtime.args.forEach((arg, index) => {
    const owned = OWNED_ARGS.find((name) => arg === name || arg.startsWith(`${name}=`));
    if (owned) add(`spec.runtime.args[${index}]`, `${owned} is set by Davit from other fields`, 'Remove it here.');
  });
  duplicates(spec.secrets.map(({ name }) => name)).forEach((index) =>
    add(`spec.secrets[${index}].name`, 'the same name twice', 'Give each secret a name of its own.'),
  );
  spec.secrets.forEach(({ name, from }, index) => {
    const path = `spec.secrets[${index}]`;
    if (isReservedSecretName(name)) {
      add(`${path}.name`, `"${name}" is reserved`, 'Use a name that no program of the machine reads for itself.');
    }
    if (isControlPlaneVariable(from.env, spec.compute.mode)) {
      add(
        `${path}.from.env`,
        `"${from.env}" belongs to the control plane`,
        'Name a variable of the deployment itself.',
      );
    }
  });

  const names = [spec.model.servedName ?? metadata.name, ...(spec.routing?.aliases ?? [])];
  duplicates(names).forEach((index) =>
    add(
      `spec.routing.aliases[${index - 1}]`,
      `"${names[index]}" is already a name of the model`,
      'Remove it: the served name is one without being listed.',
    ),
  );

  const { adapters } = spec.model;
  duplicates([...names, ...adapters])
    .filter((index) => index >= names.length)
    .forEach((index) =>
      add(
        `spec.model.adapters[${index - names.length}]`,
        `"${adapters[index - names.length]}" is already a name of the model or of an adapter`,
        'Give each adapter a name of its own.',
      ),
    );

  const { startDeadline, startDeadlineCap } = spec.readiness;
  if (startDeadlineCap !== undefined && startDeadlineCap < startDeadline) {
    add(
      'spec.readiness.startDeadlineCap',
      'is shorter than spec.readiness.startDeadline',
      'Raise the cap, or lower the deadline.',
    );
  }

  if (spec.budget && spec.budget.maxHourly === undefined && spec.budget.maxTotal === undefined) {
    add('spec.budget', 'names no ceiling', 'Write maxHourly, maxTotal, or both; or remove the budget.');
  }

  return [...problems, ...rolloutProblems(spec), ...computeProblems(spec)];
}

function computeProblems(spec: DeploymentManifest['spec']): FieldProblem[] {
  switch (spec.compute.mode) {
    case 'elastic':
      return [...elasticProblems(spec.compute), ...imageProblems(spec.runtime)];
    case 'serverless':
      return serverlessProblems(spec);
    case 'direct':
      return directProblems(spec.compute, spec.scaling.replicas);
  }
}

function imageProblems({ engine, image }: DeploymentManifest['spec']['runtime']): FieldProblem[] {
  if (engine !== 'openai' || image !== undefined) return [];
  return [
    {
      path: 'spec.runtime.image',
      message: 'is missing: engine "openai" does not say how to start a server',
      remedy: 'Name the image to run.',
    },
  ];
}

function directProblems({ endpoints }: Direct, replicas: number | undefined): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (replicas !== undefined && replicas > endpoints.length) {
    problems.push({
      path: 'spec.scaling.replicas',
      message: `${counted(replicas, 'replica')} but ${counted(endpoints.length, 'endpoint')}`,
      remedy: 'List an endpoint for each replica, or lower replicas.',
    });
  }
  duplicates(endpoints).forEach((index) =>
    problems.push({
      path: `spec.compute.endpoints[${index}]`,
      message: 'the same address twice',
      remedy: 'Give each replica an endpoint of its own.',
    }),
  );
  endpoints.forEach((endpoint, index) => {
    const { username, password } = new URL(endpoint);
    if (username === '' && password === '') return;
    problems.push({
      path: `spec.compute.endpoints[${index}]`,
      message: 'holds a user name or password',
      remedy: 'Write the address without it, and name the secret in spec.secrets.',
    });
  });
  return problems;
}
