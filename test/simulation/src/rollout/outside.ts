import { pick, type Trouble } from '../outside-faults.js';

/** The engine's rounds are as far apart as its looks at what serves, so that hours of it stay cheap. */
export const SERVERLESS_TIMINGS = { vast: { tickMs: 500 } };

const HOSTS = ['vast-console', 'vast-run'] as const;
/** Calls that change something at Vast. */
const ORDERS = [
  ...['POST /api/v0/template/', 'POST /api/v0/endptjobs/', 'POST /api/v0/workergroups/'],
  ...['PUT /api/v0/endptjobs/*', 'PUT /api/v0/workergroups/*'],
  ...['DELETE /api/v0/endptjobs/*', 'DELETE /api/v0/workergroups/*'],
] as const;

/** What Vast may show at any time. */
export const SERVERLESS_TROUBLES: readonly Trouble[] = [
  (random) => [{ service: 'vast-console', verb: pick(random, ORDERS), effect: { kind: 'lost-reply' } }],
  (random) => [{ service: 'vast-console', verb: pick(random, ORDERS), effect: { kind: 'lost-request' } }],
  (random) => [{ service: 'vast-console', verb: pick(random, ORDERS), effect: { kind: 'status-after', status: 504 } }],
  (random) => [{ service: 'vast-console', verb: pick(random, ORDERS), effect: { kind: 'hang' } }],
  () => [{ service: 'vast-run', verb: 'POST /update_workers/', effect: { kind: 'lost-reply' } }],
  (random) => [
    { service: pick(random, HOSTS), effect: { kind: 'status', status: pick(random, [429, 500, 502, 503]) } },
  ],
  (random) => [
    { service: pick(random, HOSTS), effect: { kind: 'malformed', how: pick(random, ['truncate', 'garbage']) } },
  ],
  (random) => [{ service: pick(random, HOSTS), effect: { kind: 'latency', ms: 1_000 + 8_000 * random.next() } }],
  () => [{ service: 'vast-worker', effect: { kind: 'lost-reply' } }],
];
