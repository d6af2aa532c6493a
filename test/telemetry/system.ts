import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Type } from '@nestjs/common';
import { silentLogger } from '@davit/ports';
import { type RunningService, createService } from '@davit/service-kit';
import { createDatabase, startNats } from '@davit/test-support';
import { serviceNames } from '../../scripts/docs/load.mjs';

/** Every service as users run it, over one PostgreSQL and one NATS server, all in this process. */
export interface System {
  /** Where each answers, by its name. */
  readonly urls: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

export async function startSystem(environment: Readonly<Record<string, string>>): Promise<System> {
  const [database, broker] = await Promise.all([createDatabase(), startNats()]);
  const home = mkdtempSync(path.join(process.env['DAVIT_TEST_SCRATCH'] ?? tmpdir(), 'davit-home-'));
  const shared = {
    ...{ DATABASE_URL: database.url, NATS_URL: broker.url, DAVIT_HOME: home, DAVIT_SKY_CATALOGUE: 'off' },
    ...environment,
  };
  const services = new Map<string, RunningService>();
  for (const name of serviceNames()) {
    const { AppModule } = (await import(`../../apps/${name}/src/app.module.js`)) as { AppModule: Type }; // as `main.ts` of each does
    services.set(name, await createService(AppModule, name, { environment: shared, logger: silentLogger }));
  }
  await Promise.all([...services.values()].map(({ ready }) => ready));
  return {
    urls: new Map([...services].map(([name, { url }]) => [name, url])),
    async stop() {
      await Promise.all([...services.values()].map((service) => service.stop()));
      await Promise.all([database.drop(), broker.dispose()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
