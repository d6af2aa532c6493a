import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ZodType } from 'zod';
import { loadSources, serviceNames } from '../../scripts/docs/load.mjs';
import { SERVICES } from '../../scripts/lib/run-plan.mjs';
import { deployFolder, readCompose, readKubernetes, readKustomization, readYaml } from './deployment-files.js';

const read = (file: string): string => readFileSync(path.join(deployFolder, file), 'utf8');
const services = serviceNames();
/** What the image itself reads; see the last line of the Dockerfile. */
const OF_THE_IMAGE = 'DAVIT_SERVICE';
/** Its keys are names that specifications choose. */
const CHOSEN_BY_USERS = 'davit-workloads';

let known: ReadonlyMap<string, ReadonlySet<string>>;
let required: readonly string[];

beforeAll(async () => {
  const { commonConfig, services } = await loadSources('src');
  const common = Object.keys(commonConfig.shape);
  known = new Map(
    services.map(({ name, config }) => [name, new Set([...common, ...Object.keys(config?.shape ?? {}), OF_THE_IMAGE])]),
  );
  required = Object.entries<ZodType>(commonConfig.shape).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [] : [name],
  );
});

const unknown = (service: string, variables: readonly string[]): string[] =>
  variables.filter((name) => known.get(service)?.has(name) !== true).map((name) => `${service}: ${name}`);

describe('the files of deploy', () => {
  test('are YAML without mistakes and without doubled keys', () => {
    const files = readdirSync(deployFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.yaml'),
    );
    expect(files.length).toBeGreaterThanOrEqual(12);
    for (const file of files) expect(() => readYaml(file)).not.toThrow();
  });

  test('start the program that the image reads from DAVIT_SERVICE', () => {
    expect(read('Dockerfile')).toMatch(/^CMD .*apps\/\$\{DAVIT_SERVICE:.*\}\/dist\/main\.js/m);
    expect(read('Dockerfile')).toMatch(/^USER node$/m);
    const missing = services.filter((name) => !read('Dockerfile').includes(` apps/${name}`));
    expect(missing).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const compose = readCompose();

  test('runs every service, PostgreSQL and NATS', () => {
    expect(Object.keys(compose.services).sort()).toEqual([...services, 'nats', 'postgres'].sort());
  });

  test('tells a service only what it knows, and all that it needs', () => {
    for (const name of services) {
      const variables = Object.keys(compose.services[name]?.environment ?? {});
      expect(unknown(name, variables)).toEqual([]);
      expect(variables).toEqual(expect.arrayContaining([...required, OF_THE_IMAGE, 'PORT']));
      expect(compose.services[name]?.environment[OF_THE_IMAGE]).toBe(name);
    }
  });

  test('asks each service at its own port whether it is ready, and starts it after PostgreSQL and NATS', () => {
    for (const { name, port } of SERVICES) {
      const service = compose.services[name];
      expect(service?.environment['PORT']).toBe(String(port));
      expect(service?.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${port}/readyz`);
      expect(Object.keys(service?.depends_on ?? {}).sort()).toEqual(['nats', 'postgres']);
    }
  });

  test('takes from the environment file exactly what the example of it names', () => {
    const used = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
    const named = [...read('example.env').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    expect([...new Set(used)].sort()).toEqual(named.sort());
  });

  test('gives the broker every variable that its settings name', () => {
    const settings = `${read('nats/nats.conf')}${read('nats/accounts.conf')}`;
    const used = [...settings.matchAll(/: \$(NATS_\w+)/g)].map(([, name = '']) => name);
    expect(Object.keys(compose.services['nats']?.environment ?? {}).sort()).toEqual(used.sort());
  });
});

describe('the Kubernetes manifests', () => {
  const objects = readKubernetes();
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
  const keysOf = (name: string | undefined): readonly string[] => {
    const source = objects.find(({ kind, metadata }) => /ConfigMap|Secret/.test(kind) && metadata.name === name);
    return Object.keys(source?.data ?? source?.stringData ?? {});
  };

  test('hold one Deployment and one disruption budget for each service, and every file is applied', () => {
    for (const kind of ['Deployment', 'PodDisruptionBudget']) {
      expect(
        ofKind(kind)
          .map(({ metadata }) => metadata.name)
          .sort(),
      ).toEqual(services);
    }
    const files = readdirSync(path.join(deployFolder, 'kubernetes'));
    const applied = [...readKustomization().resources, 'kustomization.yaml', 'secret.example.yaml'];
    expect(files.sort()).toEqual(applied.sort());
  });

  test('ask /livez and /readyz at the port that the service is told', () => {
    for (const { name, port } of SERVICES) {
      const container = containerOf(name);
      expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'http' });
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
      expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
      expect(container.env.find((variable) => variable.name === 'PORT')?.value).toBe(String(port));
    }
  });

  test('tell a service only what it knows, and all that it needs', () => {
    for (const name of services) {
      const { env, envFrom } = containerOf(name);
      const sources = envFrom
        .map(({ configMapRef, secretRef }) => (configMapRef ?? secretRef)?.name)
        .filter((source) => source !== CHOSEN_BY_USERS);
      const variables = [...env.map((variable) => variable.name), ...sources.flatMap(keysOf)];
      expect(unknown(name, variables)).toEqual([]);
      expect(variables).toEqual(expect.arrayContaining([...required, OF_THE_IMAGE, 'PORT']));
      expect(env.find((variable) => variable.name === OF_THE_IMAGE)?.value).toBe(name);
    }
  });

  test('protect with each budget the pods of its own service', () => {
    for (const budget of ofKind('PodDisruptionBudget')) {
      const labels = ofKind('Deployment').find(({ metadata }) => metadata.name === budget.metadata.name)?.spec?.template
        ?.metadata.labels;
      expect(labels).toMatchObject(budget.spec?.selector?.matchLabels ?? { none: 'selected' });
    }
  });

  function containerOf(service: string) {
    const deployment = ofKind('Deployment').find(({ metadata }) => metadata.name === service);
    const container = deployment?.spec?.template?.spec.containers[0];
    if (!container) throw new Error(`no Deployment of ${service}`);
    return container;
  }
});
