import type { FieldProblem } from '../problem.js';
import { acceleratorNames, nearNames } from './accelerators.js';
import type { DeploymentManifest } from './manifest.js';

/** Engine arguments that Davit sets itself; a second value would contradict the first. */
const OWNED_ARGS = ['--served-model-name', '--host', '--port', '--api-key', '--revision'];

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
  spec.secrets.forEach(({ name }, index) => {
    if (name.startsWith('SKYPILOT_')) {
      add(`spec.secrets[${index}].name`, `"${name}" is reserved`, 'Use a name that does not begin with SKYPILOT_.');
    }
  });

  const { compute } = spec;
  if (compute.mode === 'elastic') {
    problems.push(...elasticProblems(compute));
    if (spec.runtime.engine === 'openai' && spec.runtime.image === undefined) {
      add('spec.runtime.image', 'engine "openai" says nothing about how to start a server', 'Name the image to run.');
    }
  }
  if (compute.mode === 'serverless') {
    if (spec.scaling.replicas !== undefined && spec.scaling.replicas > 1) {
      add(
        'spec.scaling.replicas',
        'the provider scales the workers of a serverless endpoint',
        'Remove it; set compute.workers.',
      );
    }
    if (compute.workers.cold > compute.workers.max) {
      add(
        'spec.compute.workers.cold',
        `${compute.workers.cold} is more than max (${compute.workers.max})`,
        'Lower cold or raise max.',
      );
    }
  }
  if (
    compute.mode === 'direct' &&
    spec.scaling.replicas !== undefined &&
    spec.scaling.replicas > compute.endpoints.length
  ) {
    add(
      'spec.scaling.replicas',
      `${spec.scaling.replicas} replicas but ${compute.endpoints.length} endpoints`,
      'List an endpoint for each replica.',
    );
  }
  if (spec.model.servedName === undefined && metadata.name.length === 0) {
    add('spec.model.servedName', 'is missing', 'Name the model as clients will ask for it.');
  }
  return problems;
}

function elasticProblems(compute: Extract<DeploymentManifest['spec']['compute'], { mode: 'elastic' }>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  compute.placements.forEach((rung, index) => {
    const path = `spec.compute.placements[${index}]`;
    if (rung.accelerator !== undefined)
      problems.push(...acceleratorProblems(rung.cloud, rung.accelerator, `${path}.accelerator`));
    const identity = [rung.cloud, rung.region, rung.accelerator, rung.spot].join('|');
    if (seen.has(identity)) {
      problems.push({ path, message: 'the same placement twice', remedy: 'Remove one of them.' });
    }
    seen.add(identity);
  });
  return problems;
}

function acceleratorProblems(cloud: string, text: string, path: string): FieldProblem[] {
  const known = acceleratorNames(cloud);
  const near = nearNames(text, known);
  const hint = near.length > 0 ? ` Near names known for ${cloud}: ${near.join(', ')}.` : '';
  const match = /^([A-Za-z][\w-]*)(?::([1-9]\d?))?$/.exec(text);
  if (!match) {
    return [
      {
        path,
        message: `"${text}" is not an accelerator and count`,
        remedy: `Write NAME or NAME:COUNT, for example "L40S:1".${hint}`,
      },
    ];
  }
  if (known.includes(match[1] ?? '')) return [];
  return [
    { path, message: `"${match[1]}" is not a known accelerator of ${cloud}`, remedy: `Write a known name.${hint}` },
  ];
}

function duplicates(values: readonly string[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}
