import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { parseDeployment } from '@davit/contracts';
import { declare } from '@davit/domain';
import { connect } from 'nats';
import type { Controller } from '@davit/reconcile';
import { silentLogger } from '@davit/ports';
import {
  type NatsBroker,
  type TestDatabase,
  type TestDatabaseOptions,
  createDatabase,
  eventually,
  startNats,
} from '@davit/test-support';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { ConfigError } from './config/load.js';
import { type RunningService, createService } from './create-service.js';
import { ServiceModule } from './service.module.js';
import type { ServicePorts } from './service-ports.js';
import { SERVICE_PORTS } from './tokens.js';

const passes: string[] = [];
const watcher: Controller = {
  name: 'watcher',
  keysOf: ({ kind, key }) => (kind === 'deployment' ? [key] : []),
  reconcile(context) {
    passes.push(context.key);
    return Promise.resolve({});
  },
};

@Module({
  imports: [
    ServiceModule.register({
      name: 'test-service',
      config: z.object({ GREETING: z.string().default('hello') }),
      controllers: ({ config }) => (config.GREETING === 'hello' ? [watcher] : []),
    }),
  ],
})
class TestModule {}

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
}, 30_000);

async function database(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const created = await createDatabase(options);
  undo.push(() => created.drop());
  return created;
}

async function nats(): Promise<NatsBroker> {
  const started = await startNats();
  undo.push(() => started.dispose());
  return started;
}

async function start(environment: Record<string, string>): Promise<RunningService> {
  const service = await createService(TestModule, 'test-service', { environment, logger: silentLogger });
  undo.push(() => service.stop());
  return service;
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

describe('a service', () => {
  test('runs its controllers over what the log holds, once it has caught up', async () => {
    const [{ url: DATABASE_URL }, { url: NATS_URL }] = [await database(), await nats()];
    const service = await start({ DATABASE_URL, NATS_URL });
    await service.ready;
    const { log } = service.app.get<ServicePorts>(SERVICE_PORTS);
    await declareSomething(log);
    await eventually(() => passes.includes('default/thing'));
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(
      /davit_reconcile_passes_total\{controller="watcher",result="done",service="test-service"\} [1-9]/,
    );
    expect(metrics).toContain(
      'davit_reconcile_passes_total{controller="watcher",result="terminal",service="test-service"} 0',
    );
  }, 30_000);

  test('has its tables back after they were dropped, with the same content', async () => {
    const oddEvents = 'an event of a release that is not written yet';
    const [{ url: DATABASE_URL }, { url: NATS_URL }] = [await database({ oddEvents }), await nats()];
    const first = await start({ DATABASE_URL, NATS_URL });
    await first.ready;
    await declareSomething(first.app.get<ServicePorts>(SERVICE_PORTS).log);
    const modelOf = (service: RunningService) => service.app.get<ServicePorts>(SERVICE_PORTS).model;
    const before = await eventually(() => modelOf(first).get('deployment', 'default/thing'));
    await first.app.get(DataSource).query('drop schema projection_test_service cascade');
    await first.stop();
    const second = await start({ DATABASE_URL, NATS_URL });
    await second.ready;
    expect(await modelOf(second).get('deployment', 'default/thing')).toEqual(before);
  }, 30_000);

  test('waits for a broker that is not there yet', async () => {
    const broker = await nats();
    const { url: DATABASE_URL } = await database();
    await broker.stop();
    const starting = createService(TestModule, 'test-service', {
      environment: { DATABASE_URL, NATS_URL: broker.url, PORT: String(await freePort()) },
      logger: silentLogger,
    });
    await broker.restart();
    const service = await starting;
    undo.push(() => service.stop());
    await service.ready;
    expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  }, 30_000);

  test('waits for a database that is not there yet, and can be stopped while it waits', async () => {
    const { url: NATS_URL } = await nats();
    const service = await start({ DATABASE_URL: `postgres://u:p@127.0.0.1:${await freePort()}/d`, NATS_URL });
    await eventually(async () => (await statusOf(`${service.url}/livez`)) === 200);
    expect(await statusOf(`${service.url}/readyz`)).toBe(503);
    await service.stop();
    await service.ready;
  }, 30_000);

  test('can be stopped while an event that it does not understand keeps it from catching up', async () => {
    const oddEvents = 'an event of a release that is not written yet';
    const [{ url: DATABASE_URL }, { url: NATS_URL }] = [await database({ oddEvents }), await nats()];
    const first = await start({ DATABASE_URL, NATS_URL });
    await first.ready;
    await first.app.get(DataSource).query(
      `insert into log.events (position, stream, version, id, type, time, source, dataschema, tenant, data)
         values (1, 'future/thing', 1, gen_random_uuid(), 'davit.future.thing', now(), '/davit/future', 'davit:future', 'default', '{}')`,
    );
    await first.app.get(DataSource).query('update log.head set position = 1');
    await first.stop();
    const second = await start({ DATABASE_URL, NATS_URL });
    await eventually(async () => (await (await fetch(`${second.url}/readyz`)).text()).includes('cannot-apply'));
    await second.stop();
    await second.ready;
  }, 30_000);

  test('leaves no connection behind when it stops', async () => {
    const [{ url: DATABASE_URL }, { url: NATS_URL }] = [await database(), await nats()];
    const service = await start({ DATABASE_URL, NATS_URL });
    await service.ready;
    await service.stop();
    expect(service.app.get(DataSource).isInitialized).toBe(false);
    await expect(fetch(`${service.url}/livez`)).rejects.toThrow();
    const probe = await connect({ servers: NATS_URL });
    const manager = await probe.jetstreamManager();
    const consumers = await manager.consumers.list('LOG').next();
    expect(consumers).toEqual([]);
    await probe.close();
  }, 30_000);

  test('does not start with a wrong environment, or on a port that is taken', async () => {
    await expect(start({ DATABASE_URL: 'x', NATS_URL: 'y' })).rejects.toBeInstanceOf(ConfigError);
    const oddEvents = 'an event of a release that is not written yet';
    const [{ url: DATABASE_URL }, { url: NATS_URL }] = [await database({ oddEvents }), await nats()];
    const first = await start({ DATABASE_URL, NATS_URL });
    await first.ready;
    const { port: PORT } = new URL(first.url);
    await expect(start({ DATABASE_URL, NATS_URL, PORT })).rejects.toThrow(/PORT: \d+ on 127.0.0.1 cannot be opened/);
  }, 30_000);
});

async function declareSomething(log: ServicePorts['log']): Promise<void> {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'thing' },
    spec: {
      model: { id: 'a/b' },
      runtime: { engine: 'vllm' },
      compute: { mode: 'direct', endpoints: ['http://127.0.0.1:1'] },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const decision = declare(undefined, parsed.deployment, '00000000-0000-7000-8000-000000000001');
  const [event] = decision.outcome === 'accepted' ? decision.events : [];
  if (!event) throw new Error('nothing was declared');
  const stream = 'deployment/default/thing';
  await log.append([{ stream, expectedVersion: 0, events: [event] }], { tenant: 'default', service: 'test-service' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
