import type { FieldProblem } from '../problem.js';
import { normaliseBudget } from './budget.js';
import { contradictions } from './contradictions.js';
import { contentProblem } from './content.js';
import { API_VERSION, type Compute, type NormalisedDeployment } from './deployment.js';
import { placementsOf } from './expand.js';
import { cut } from './field-path.js';
import { describeIssues, limitProblems } from './issues.js';
import { normaliseRollout } from './normalise-rollout.js';
import { deploymentManifest, type DeploymentManifest } from './manifest.js';
import { DEFAULT_COLD_WORKERS } from './serverless-problems.js';

export type ParsedDeployment =
  | { readonly ok: true; readonly deployment: NormalisedDeployment }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Reads a deployment as a user wrote it (already parsed from JSON or YAML) and writes out every default. */
export function parseDeployment(input: unknown): ParsedDeployment {
  const first = contentProblem(input) ?? foreignVersion(input);
  if (first) return { ok: false, problems: [first] };
  const parsed = deploymentManifest.safeParse(input);
  if (!parsed.success) {
    return { ok: false, problems: describeIssues(parsed.error.issues, deploymentManifest, input, { hidden }) };
  }
  const problems = limitProblems(contradictions(parsed.data));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, deployment: normalise(parsed.data) };
}

/** Without a cap of its own, progress may make a start three times as long. */
const CAP_FACTOR = 3;

/** Where names of secrets belong, somebody may have written the secret itself; addresses may hold a password. */
const hidden = (path: readonly PropertyKey[]): boolean =>
  path.includes('secrets') || path.includes('endpoints') || path.includes('env');

/** A schema of the future is not a list of unknown keys: say so before anything else. */
function foreignVersion(input: unknown): FieldProblem | undefined {
  if (typeof input !== 'object' || input === null || !('apiVersion' in input)) return undefined;
  const { apiVersion } = input;
  if (apiVersion === API_VERSION || typeof apiVersion !== 'string') return undefined;
  return {
    path: 'apiVersion',
    message: `"${cut(apiVersion, 80)}" is not a version this server knows`,
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
        ...(spec.model.sizeGiB === undefined ? {} : { sizeGiB: spec.model.sizeGiB }),
        ...(spec.model.adapters.length === 0 ? {} : { adapters: spec.model.adapters }),
      },
      runtime: { ...spec.runtime, version: spec.runtime.version ?? null, image: spec.runtime.image ?? null },
      compute,
      scaling: { replicas: spec.scaling.replicas ?? (compute.mode === 'direct' ? compute.endpoints.length : 1) },
      readiness: {
        startDeadlineMs: spec.readiness.startDeadline,
        startDeadlineCapMs: spec.readiness.startDeadlineCap ?? CAP_FACTOR * spec.readiness.startDeadline,
        healthDeadlineMs: spec.readiness.healthDeadline,
        maxFailedStarts: spec.readiness.maxFailedStarts,
      },
      rollout: normaliseRollout(spec.rollout),
      ...(spec.routing ? { routing: spec.routing } : {}),
      budget: spec.budget ? normaliseBudget(spec.budget) : null,
      secrets: spec.secrets,
    },
  };
}

function normaliseCompute(compute: DeploymentManifest['spec']['compute']): Compute {
  switch (compute.mode) {
    case 'elastic':
      return {
        mode: compute.mode,
        adapter: compute.adapter,
        objective: compute.objective,
        diskGiB: compute.diskGiB,
        // What was not asked for is left out, so that what was declared before is still the same template.
        ...(compute.any || compute.selection === 'best' ? { selection: 'best' } : {}),
        ...(compute.spread === 'none' ? {} : { spread: compute.spread }),
        placements: [...placementsOf(compute)],
      };
    case 'serverless': {
      const { inactivityTimeout, targetQueueTime, maxQueueTime, cold, min, ...workers } = compute.workers;
      const { templateHash, template, ...rest } = compute;
      return {
        ...rest,
        templateHash: templateHash ?? null,
        ...(template && {
          template: { ...template, onStart: template.onStart ?? null, args: template.args ?? null },
        }),
        workers: {
          cold: cold ?? min ?? DEFAULT_COLD_WORKERS,
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
