import { randomUUID } from 'node:crypto';
import { type DavitClient } from '@davit/cli';
import { deploymentAnswer, subjects } from '@davit/contracts';
import { JSONCodec, connect } from 'nats';
import pg from 'pg';
import type { WorldClient } from '../world-client.js';
import { type Act, GPUS, type Wish } from './plan.js';

/** What chaos needs of the system that it runs on; the supervisor has it. */
export interface ChaosSystem {
  readonly dir: string;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly urls: Readonly<Record<string, string>>;
  readonly world: { readonly controlUrl: string } | undefined;
  pidOf(child: string): number | undefined;
  signalService(child: string, signal: NodeJS.Signals): void;
  wipeNats(): Promise<void>;
  addInstance(service: string): Promise<string>;
  stop(): Promise<void>;
}

export interface ChaosStage {
  readonly system: ChaosSystem;
  readonly client: DavitClient;
  readonly world: WorldClient;
  readonly tell: (step: string) => void;
}

const codec = JSONCodec();

/** Carries one act out. What it meets may be down just then, which is no fault of anybody. */
export async function carryOut(stage: ChaosStage, act: Act): Promise<void> {
  const { system, world } = stage;
  switch (act.kind) {
    case 'wish':
      await (act.door === 'http' ? wishOverHttp(stage, act.wish) : wishOverBus(stage, act.wish));
      return;
    case 'kill':
      system.signalService(act.child, 'SIGKILL');
      return;
    case 'stand-still': {
      const pid = system.pidOf(act.child);
      system.signalService(act.child, 'SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, act.ms));
      if (system.pidOf(act.child) === pid) system.signalService(act.child, 'SIGCONT');
      return;
    }
    case 'wipe-nats':
      await system.wipeNats();
      return;
    case 'cut-connections':
      await cutConnections(system.databaseUrl);
      return;
    case 'world-fault':
      await world.addFault(act.rule);
      return;
    case 'stock':
      await world.setStock(act.gpu, act.free);
      return;
    case 'kill-machine':
    case 'hurt-server': {
      const running = await world.running();
      const victim = running[act.nth % Math.max(1, running.length)];
      if (victim) await (act.kind === 'kill-machine' ? world.kill(victim.id) : world.hurt(victim.id, act.fault));
      return;
    }
  }
}

/** Asks until it is answered; whether it is accepted depends on what there is. */
export async function wishOverHttp({ client }: Pick<ChaosStage, 'client'>, wish: Wish): Promise<void> {
  const idempotencyKey = randomUUID();
  if (wish.verb === 'apply') await client.apply({ deployment: manifestOf(wish), idempotencyKey });
  else await client.onDeployment(wish.verb, { name: wish.name, tenant: 'default' });
}

async function wishOverBus({ system }: Pick<ChaosStage, 'system'>, wish: Wish): Promise<void> {
  const connection = await connect({ servers: system.natsUrl, reconnect: false, timeout: 5_000 });
  try {
    const body = wish.verb === 'apply' ? { deployment: manifestOf(wish) } : { name: wish.name, tenant: 'default' };
    const reply = await connection.request(
      subjects.intent('deployment', wish.verb),
      codec.encode({ ...body, idempotencyKey: randomUUID() }),
      { timeout: 5_000 },
    );
    deploymentAnswer.parse(codec.decode(reply.data));
  } finally {
    await connection.close();
  }
}

/** Everybody's connection ends in the middle of whatever it was doing. */
async function cutConnections(databaseUrl: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  database.on('error', () => undefined);
  await database.connect();
  try {
    await database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  } finally {
    await database.end();
  }
}

export const manifestOf = ({ name, replicas, args, strategy }: Extract<Wish, { verb: 'apply' }>): object => ({
  apiVersion: 'davit.dev/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    model: { id: 'Qwen/Qwen3-8B', servedName: name },
    runtime: { engine: 'vllm', version: '0.27.1', args: ['--max-model-len', args] },
    compute: {
      mode: 'elastic',
      placements: GPUS.map((gpu) => ({ cloud: 'runpod', accelerator: `${gpu}:1` })),
    },
    scaling: { replicas },
    readiness: { startDeadline: '40s' },
    rollout: { strategy, drainDeadline: '3s' },
  },
});
