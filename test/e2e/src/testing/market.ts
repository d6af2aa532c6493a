import { readFileSync } from 'node:fs';
import {
  type AlarmView,
  type EventType,
  type RecordedEvent,
  type ReplicaView,
  parseRecordedEvent,
} from '@davit/contracts';
import { parse } from 'yaml';
import { type CliResult, davit } from '../cli.js';
import { waitFor } from '../wait-for.js';
import { EXAMPLE, type Rig, urlOf } from './rig.js';

/** One placement as a user writes it. */
export interface WrittenPlacement {
  readonly cloud: string;
  readonly accelerator: string;
  readonly region?: string;
  readonly maxHourlyPrice?: string;
}

export interface WrittenBudget {
  readonly maxHourly?: string;
  readonly maxTotal?: string;
  readonly currency: 'USD';
  readonly onExceed: 'refuse' | 'drain';
}

export interface WrittenDeployment {
  readonly name: string;
  readonly tenant?: string;
  readonly placements: readonly (WrittenPlacement | string)[];
  readonly replicas?: number;
  readonly budget?: WrittenBudget;
}

const PATIENCE = { timeoutMs: 120_000, everyMs: 200 };
const PAGE = 500;

/** Deployments on a rig, and what is to be seen of them through the doors that users have. */
export class Market {
  readonly front: string;
  private readonly seen: RecordedEvent[] = [];

  constructor(private readonly rig: Rig) {
    this.front = urlOf(rig.system, 'spec-api');
  }

  /** The example with another name and other places, without a budget unless one is given. */
  manifest({ name, tenant, placements, replicas = 1, budget }: WrittenDeployment): object {
    // Written in this repository: the fields that are changed are there.
    const written = parse(readFileSync(EXAMPLE, 'utf8')) as { metadata: object; spec: Record<string, object> };
    const { model, compute } = written.spec;
    return {
      ...written,
      metadata: { ...written.metadata, name, ...(tenant === undefined ? {} : { tenant }) },
      // A budget of undefined is left out of the JSON.
      spec: {
        ...written.spec,
        model: { ...model, servedName: name },
        compute: { ...compute, placements: placements.map(onRunPod) },
        scaling: { replicas },
        budget,
      },
    };
  }

  async apply(written: WrittenDeployment): Promise<string> {
    const { name, tenant = 'default' } = written;
    const idempotencyKey = `market-${name}-${Date.now()}-${Math.random()}`;
    const answer = await this.rig.client.apply({ deployment: this.manifest(written), idempotencyKey });
    if (answer.outcome !== 'accepted') throw new Error(`${name} refused: ${JSON.stringify(answer)}`);
    return `${tenant}/${name}`;
  }

  async order(subject: string, body: object): Promise<void> {
    const response = await fetch(new URL(`/v1/intents/${subject}`, this.front), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 202) throw new Error(`${subject} answered ${response.status}: ${await response.text()}`);
  }

  cli(args: readonly string[], input?: string): Promise<CliResult> {
    return davit(this.front, args, input);
  }

  async replicas(key: string): Promise<readonly ReplicaView[]> {
    return (await this.rig.client.replicas(key)).filter(({ state }) => state !== 'deleted');
  }

  alarms(): Promise<readonly AlarmView[]> {
    return this.rig.client.alarms();
  }

  until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
    return waitFor(what, look, PATIENCE);
  }

  /** The replicas of a deployment once so many serve. */
  serving(key: string, count: number): Promise<readonly ReplicaView[]> {
    return this.until(`${count} of ${key} serve`, async () => {
      const found = (await this.replicas(key)).filter(({ state }) => state === 'serving');
      return found.length === count ? found : undefined;
    });
  }

  /** The one replica of a deployment that waits for stock, price or budget. */
  waiting(key: string): Promise<ReplicaView> {
    return this.until(`a replica of ${key} waits`, async () =>
      (await this.replicas(key)).find(({ wait }) => wait?.reason === 'capacity' || wait?.reason === 'budget'),
    );
  }

  alarm(name: string, about: RegExp): Promise<AlarmView> {
    return this.until(`the alarm ${name} is up about ${about.source}`, async () =>
      (await this.alarms()).find((raised) => raised.alarm === name && about.test(raised.about)),
    );
  }

  /** The whole log; what was read before is not read again. */
  async log(): Promise<readonly RecordedEvent[]> {
    for (;;) {
      const page = await this.rig.client.events(this.seen.at(-1)?.position ?? 0, PAGE);
      this.seen.push(...page.map((event) => parseRecordedEvent(event)));
      if (page.length < PAGE) return [...this.seen];
    }
  }

  /** Events of one type about the replicas of one deployment. */
  async events<Type extends EventType>(
    type: Type,
    key: string,
  ): Promise<readonly Extract<RecordedEvent, { type: Type }>[]> {
    return (await this.log()).filter(
      (event): event is Extract<RecordedEvent, { type: Type }> =>
        event.type === type && 'replicaId' in event.data && event.data.replicaId?.startsWith(`${key}-`) === true,
    );
  }

  async remove(key: string): Promise<void> {
    const [tenant = '', name = ''] = key.split('/');
    await this.rig.client.onDeployment('delete', { name, tenant });
    await this.until(`${key} is deleted`, async () =>
      (await this.rig.client.deployment(tenant, name))?.status === 'deleted' ? true : undefined,
    );
  }
}

const onRunPod = (placement: WrittenPlacement | string): WrittenPlacement =>
  typeof placement === 'string' ? { cloud: 'runpod', accelerator: placement } : placement;
