import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Root } from 'protobufjs';
import { z } from 'zod';
import { clusterDiscovery, endpointDiscovery } from './formats/envoy.js';
import { render } from './formats/index.js';
import { liteLlm, liteLlmText } from './formats/litellm.js';
import { tableOf } from './table.js';
import { envoySchema, problemsOf } from './testing/envoy-schema.js';
import { table, target } from './testing/tables.js';

const RESPONSE = 'envoy.service.discovery.v3.DiscoveryResponse';
const EVERYTHING = table(
  {
    targets: [
      target(0, 'http://10.0.0.1:8000', { adapters: ['sql-lora'], labels: { team: 'search' } }),
      target(1, 'https://gpu.example.com/v1/proxy/', { weight: 0 }),
    ],
    draining: [target(2, 'http://[2001:db8::1]:8000')],
  },
  { alias: 'acme/Qwen/Qwen3:8B', targets: [target(3, 'http://10.0.0.4:8000', { weight: 1_000 })] },
  { alias: 'default/empty', snapshot: 9 },
);

describe("Envoy's own schema", () => {
  let schema: Root;
  beforeAll(async () => {
    schema = await envoySchema();
  }, 60_000);

  it.each([
    ['endpoints', () => endpointDiscovery(EVERYTHING)],
    ['endpoints of one cluster', () => endpointDiscovery(EVERYTHING, ['default-qwen'])],
    ['endpoints of nothing', () => endpointDiscovery(tableOf([]))],
    ['clusters over REST', () => clusterDiscovery(EVERYTHING, { apiCluster: 'davit' })],
    ['clusters from a file', () => clusterDiscovery(EVERYTHING, { file: '/etc/envoy/eds.json' })],
    ['the file of endpoints', (): unknown => JSON.parse(render('envoy-eds', EVERYTHING))],
    ['the file of clusters', (): unknown => JSON.parse(render('envoy-cds', EVERYTHING))],
  ])('takes %s', (_what, make) => expect(problemsOf(schema, RESPONSE, make())).toEqual([]));

  it('would not take what it does not know', () => {
    const resource = (changes: object): object => ({
      ...clusterDiscovery(table({ targets: [target(0, 'http://10.0.0.1:8000')] }), { apiCluster: 'davit' })
        .resources[0],
      ...changes,
    });
    const problems = (changes: object) => problemsOf(schema, RESPONSE, { resources: [resource(changes)] });
    expect(problems({})).toEqual([]);
    expect(problems({ lb_polcy: 'RANDOM' })).toEqual([expect.stringContaining('lb_polcy: is unknown')]);
    expect(problems({ lb_policy: 'FASTEST' })).toEqual([expect.stringContaining('no LbPolicy')]);
    expect(problems({ connect_timeout: 5 })).toEqual([expect.stringContaining('is no google.protobuf.Duration')]);
    expect(problems({ cluster_type: { name: 'x' } })).toEqual([expect.stringContaining('cluster_discovery_type')]);
    expect(problems({ '@type': 'type.googleapis.com/envoy.Nothing' })).toEqual([expect.stringContaining('no message')]);
    expect(problems({ health_checks: {} })).toEqual([expect.stringContaining('is no list')]);
  });
});

describe('the model list of LiteLLM', () => {
  const file = new URL('../../../../test/fixtures/litellm/model-list.schema.json', import.meta.url);
  // The text of a JSON Schema; what it is not, fromJSONSchema refuses.
  const schema = z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof z.fromJSONSchema>[0]);

  it.each([
    ['an answer over HTTP', (): unknown => JSON.parse(liteLlmText(EVERYTHING))],
    ['an answer without routes', (): unknown => JSON.parse(liteLlmText(tableOf([])))],
    ['a file', (): unknown => JSON.parse(render('litellm', EVERYTHING).replace(/^#.*\n/, ''))],
  ])('is what %s is', (_what, make) => expect(schema.safeParse(make()).error?.issues ?? []).toEqual([]));

  it('is not what has a parameter of another name or kind', () => {
    const [entry] = liteLlm(EVERYTHING).model_list;
    const withParams = (changes: object): unknown => ({
      model_list: [{ ...entry, litellm_params: { ...entry?.litellm_params, ...changes } }],
    });
    expect(schema.safeParse(withParams({})).success).toBe(true);
    expect(schema.safeParse(withParams({ wieght: 1 })).success).toBe(false);
    expect(schema.safeParse(withParams({ weight: 0.5 })).success).toBe(false);
    expect(schema.safeParse({ model_list: [{ model_name: 'x' }] }).success).toBe(false);
  });
});
