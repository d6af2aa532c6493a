import type { Bus } from '@davit/bus';
import { type DoctorAnswer, type DoctorCheck, type QueryOf, operations } from '@davit/contracts';
import type { Queryable } from '@davit/event-log';
import { type HealthCheck, ServiceHealth, tokens } from '@davit/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { askProviders } from './providers.js';

/** Calls of a provider take turns, seconds apart; whoever asked waits half a minute at most. */
const PROVIDERS_TIMEOUT_MS = 20_000;

const SETTINGS = `select current_setting('server_version') as server_version, current_setting('fsync') as fsync,
  current_setting('synchronous_commit') as synchronous_commit`;
const settingsRows = z.tuple([
  z.object({ server_version: z.string(), fsync: z.string(), synchronous_commit: z.string() }),
]);

/** What the server sees of itself and of what it stands on, with the way to mend what is wrong. */
@Controller()
export class DoctorController {
  constructor(
    @Inject(ServiceHealth) private readonly health: ServiceHealth,
    @Inject(tokens.BUS) private readonly bus: Bus,
    @Inject(tokens.DATABASE) private readonly database: Queryable,
  ) {}

  @Serves(operations.examine)
  async examine(@ReadQuery() {}: QueryOf<typeof operations.examine>): Promise<DoctorAnswer> {
    const [{ checks }, postgres, providers] = await Promise.all([
      this.health.report(),
      this.postgres(),
      askProviders(this.bus, PROVIDERS_TIMEOUT_MS),
    ]);
    return { checks: [postgres, this.nats(), ...checks.map(asDoctorCheck), ...providers] };
  }

  private async postgres(): Promise<DoctorCheck> {
    try {
      const [settings] = settingsRows.parse(await this.database.query(SETTINGS));
      const { server_version: version, fsync, synchronous_commit: commit } = settings;
      const durable = fsync === 'on' && commit !== 'off';
      return {
        name: 'postgresql',
        ok: durable,
        detail: `version ${version}, fsync ${fsync}, synchronous_commit ${commit}`,
        remedy: durable ? null : 'Set fsync = on and synchronous_commit = on: the log must survive a power cut.',
      };
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { name: 'postgresql', ok: false, detail, remedy: 'Start PostgreSQL, or correct DATABASE_URL.' };
    }
  }

  private nats(): DoctorCheck {
    const { connected, server } = this.bus.status();
    const info = this.bus.connection.info;
    if (!connected) {
      return { name: 'nats', ok: false, detail: 'not connected', remedy: 'Start nats-server, or correct NATS_URL.' };
    }
    const ok = info?.jetstream === true;
    return {
      name: 'nats',
      ok,
      detail: `version ${info?.version ?? '?'} at ${server ?? '?'}, JetStream ${ok ? 'on' : 'off'}`,
      remedy: ok ? null : 'Start nats-server with JetStream (-js, or jetstream {} in its settings).',
    };
  }
}

const REMEDY: Readonly<Record<string, string>> = {
  phase: 'Wait until the service has caught up with the log.',
  log: 'Start PostgreSQL, or correct DATABASE_URL.',
  appends:
    'See the reason; a full disk of PostgreSQL is the usual one. Nothing is lost, and work goes on once it writes again.',
  projection: 'Wait while it catches up; if it stopped, its error names the event that it cannot read.',
  queues: 'See the log of the service: its passes do not end.',
  bus: 'Start nats-server, correct NATS_URL, or give its disk space. Until then everything goes on, only slower.',
};

const asDoctorCheck = ({ name, ok, detail }: HealthCheck): DoctorCheck => ({
  name,
  ok,
  detail: Object.entries(detail)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', '),
  remedy: ok ? null : (REMEDY[name] ?? null),
});
