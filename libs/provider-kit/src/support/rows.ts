import { type Evidence, type SupportRow, supportMatrix } from './matrix.js';

const SKY: readonly Evidence[] = [
  {
    kind: 'simulated',
    path: 'apps/skypilot-agent/src/sky/conformance.unit.test.ts',
    shows: 'the rules for every backend, through the command line',
  },
  {
    kind: 'simulated',
    path: 'apps/skypilot-agent/src/app.int.test.ts',
    shows: 'launch, lost answers and proven deletion through a real process',
  },
  {
    kind: 'simulated',
    path: 'apps/skypilot-agent/src/sky/task.unit.test.ts',
    shows: 'what each engine is started with',
  },
];

const VAST: readonly Evidence[] = [
  {
    kind: 'simulated',
    path: 'apps/vast-serverless/src/vast/conformance.unit.test.ts',
    shows: 'the rules for every backend, through the HTTP API',
  },
  {
    kind: 'simulated',
    path: 'apps/vast-serverless/src/app.int.test.ts',
    shows: 'an endpoint from request to proven deletion',
  },
];

const DIRECT: readonly Evidence[] = [
  {
    kind: 'simulated',
    path: 'apps/skypilot-agent/src/direct/direct.unit.test.ts',
    shows: 'adopted, never created, never deleted',
  },
];

const row = (
  adapter: string,
  cloud: string,
  engine: string,
  level: SupportRow['level'],
  evidence: readonly Evidence[] = [],
): SupportRow => ({ adapter, cloud, engine, level, evidence });

/** What is claimed, row by row. What has no row is not supported, whatever a process has bound. */
export const SUPPORT: readonly SupportRow[] = supportMatrix([
  row('skypilot', 'runpod', 'vllm', 'local-qualified', SKY),
  ...['sglang', 'tgi', 'llamacpp', 'openai'].map((engine) => row('skypilot', 'runpod', engine, 'experimental')),
  ...['aws', 'gcp', 'azure', 'lambda', 'vast', 'kubernetes'].flatMap((cloud) =>
    ['vllm', 'sglang'].map((engine) => row('skypilot', cloud, engine, 'experimental')),
  ),
  row('vast-serverless', 'vast', 'vllm', 'local-qualified', VAST),
  row('direct', 'any', 'vllm', 'local-qualified', DIRECT),
  ...['sglang', 'tgi', 'llamacpp', 'openai'].map((engine) => row('direct', 'any', engine, 'experimental')),
]);

/** What is claimed of a combination; `unsupported` where nothing is. */
export type Support = Pick<SupportRow, 'evidence'> & { readonly level: SupportRow['level'] | 'unsupported' };

/** What is claimed for an adapter on a cloud with an engine. Pure; knows nothing of what is bound. */
export function supportOf(adapter: string, cloud: string | null, engine: string): Support {
  const found = SUPPORT.find(
    (row) => row.adapter === adapter && row.engine === engine && (row.cloud === 'any' || row.cloud === cloud),
  );
  return found ? { level: found.level, evidence: found.evidence } : { level: 'unsupported', evidence: [] };
}
