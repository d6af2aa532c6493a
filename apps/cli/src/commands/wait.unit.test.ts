import { afterEach, expect, test } from '@jest/globals';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

test('waiting gives up with an exit code of its own, and says that what was asked for goes on', async () => {
  const deployment = {
    name: 'q',
    tenant: 'default',
    status: 'deleting',
    generation: 1,
    revision: 1,
    activeRevision: 1,
    desiredReplicas: 0,
    readyReplicas: 1,
    conditions: [],
    position: 9,
  };
  api = await answering({
    'POST /v1/intents/deployment/delete': () => ({
      outcome: 'accepted',
      intentId: '00000000-0000-4000-8000-000000000001',
      changed: true,
      deployment: 'default/q',
      revision: 1,
      generation: 1,
      position: 9,
    }),
    'GET /v1/deployments/default/q': () => deployment,
    'GET /v1/replicas': () => ({ position: 9, items: [] }),
  });
  expect(await run(['delete', 'q', '--wait', '--timeout', '0', '--url', api.url])).toBe(4);
  expect(printed.err()).toContain('is not yet proven gone after 0 s; it goes on');
});
