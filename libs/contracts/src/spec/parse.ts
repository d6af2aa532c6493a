import { type z } from 'zod';
import type { FieldProblem } from '../problem.js';
import { contradictions } from './contradictions.js';
import { API_VERSION, type Compute, type NormalisedDeployment } from './deployment.js';
import { deploymentManifest, type DeploymentManifest } from './manifest.js';

export type ParsedDeployment =
  | { readonly ok: true; readonly deployment: NormalisedDeployment }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Reads a deployment as a user wrote it (already parsed from JSON or YAML) and writes out every default. */
export function parseDeployment(input: unknown): ParsedDeployment {
  const foreign = foreignVersion(input);
  if (foreign) return { ok: false, problems: [foreign] };
  const parsed = deploymentManifest.safeParse(input);
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.flatMap((issue) => fieldProblems(issue, input)) };
  const problems = contradictions(parsed.data);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, deployment: normalise(parsed.data) };
}

/** A schema of the future is not a list of unknown keys: say so before anything else. */
function foreignVersion(input: unknown): FieldProblem | undefined {
  if (typeof input !== 'object' || input === null || !('apiVersion' in input)) return undefined;
  const { apiVersion } = input;
  if (apiVersion === API_VERSION || typeof apiVersion !== 'string') return undefined;
  return {
    path: 'apiVersion',
    message: `"${apiVersion.slice(0, 80)}" is not a version this server knows`,
    remedy: `Write "${API_VERSION}", or upgrade Davit.`,
  };
}

function normalise({ metadata, spec }: DeploymentManifest): NormalisedDeployment {
  const compute = normaliseCompute(spec.compute);
  return {
    apiVersion: API_VERSION,
    kind: 'Deployment',
    metadata,
    spec: {
      model: {
        id: spec.model.id,
        revision: spec.model.revision ?? null,
        servedName: spec.model.servedName ?? metadata.name,
      },
      runtime: { ...spec.runtime, version: spec.runtime.version ?? null, image: spec.runtime.image ?? null },
      compute,
      scaling: { replicas: spec.scaling.replicas ?? (compute.mode === 'direct' ? compute.endpoints.length : 1) },
      readiness: { startDeadlineMs: spec.readiness.startDeadline, healthDeadlineMs: spec.readiness.healthDeadline },
      rollout: { strategy: spec.rollout.strategy, drainDeadlineMs: spec.rollout.drainDeadline },
      budget: spec.budget ?? null,
      secrets: spec.secrets,
    },
  };
}

function normaliseCompute(compute: DeploymentManifest['spec']['compute']): Compute {
  switch (compute.mode) {
    case 'elastic':
      return {
        ...compute,
        placements: compute.placements.map(({ cloud, region, accelerator, spot, maxHourlyPrice }) => ({
          cloud,
          region: region ?? null,
          accelerator: accelerator === undefined ? null : parseAccelerator(accelerator),
          spot,
          maxHourlyPrice: maxHourlyPrice ?? null,
        })),
      };
    case 'serverless': {
      const { inactivityTimeout, targetQueueTime, maxQueueTime, ...workers } = compute.workers;
      return {
        ...compute,
        workers: {
          ...workers,
          inactivityTimeoutMs: inactivityTimeout,
          targetQueueTimeMs: targetQueueTime,
          maxQueueTimeMs: maxQueueTime,
        },
      };
    }
    case 'direct':
      return compute;
  }
}

function parseAccelerator(text: string): { name: string; count: number } {
  const [name = text, count = '1'] = text.split(':');
  return { name, count: Number(count) };
}

function fieldProblems(issue: z.core.$ZodIssue, input: unknown): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: formatPath([...issue.path, key]),
      message: 'is not a known key',
      remedy: 'Remove it, or correct its spelling.',
    }));
  }
  const path = formatPath(issue.path);
  const value = valueAt(input, issue.path);
  const shown =
    value === undefined
      ? 'is missing'
      : `${preview(value)} ${issue.message.replace(/^Invalid input: /, 'is invalid: ')}`;
  return [{ path, message: shown, remedy: remedyFor(issue) }];
}

function remedyFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `Write one of: ${issue.values.map(String).join(', ')}.`;
    case 'invalid_type':
      return `Write a value of type ${issue.expected}.`;
    case 'too_big':
      return `At most ${String(issue.maximum)} is allowed.`;
    case 'too_small':
      return `At least ${String(issue.minimum)} is needed.`;
    case 'invalid_format':
      return issue.format === 'regex'
        ? `Write a value that matches ${issue.pattern ?? 'the pattern'}.`
        : `Write a valid ${issue.format}.`;
    case 'invalid_union':
      return 'Write compute.mode as one of: elastic, serverless, direct.';
    default:
      return 'See the reference of the deployment specification.';
  }
}

/** `['spec', 'args', 0]` → `spec.args[0]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (joined, part) =>
      typeof part === 'number' ? `${joined}[${part}]` : joined === '' ? String(part) : `${joined}.${String(part)}`,
    '',
  );
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    input,
  );
}

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
