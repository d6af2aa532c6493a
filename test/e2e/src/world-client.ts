import type { VastTruth } from './vast/truth.js';

/** One machine of the simulated outside, as the outside itself knows it. */
export interface WorldMachine {
  readonly id: string;
  readonly name: string;
  /** Who asked for it, for example `sky:<cluster>`. */
  readonly owner: string;
  readonly phase: string;
  readonly address: string;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
}

/** What the outside billed, whoever asked. Amounts are USD. */
export interface WorldLedger {
  readonly running: number;
  readonly everCreated: number;
  readonly cost: number;
  readonly machines: readonly {
    readonly id: string;
    readonly owner: string;
    readonly cloud: string;
    readonly accelerator: string;
    readonly pricePerHour: number;
    readonly createdAtMs: number;
    readonly endedAtMs: number | null;
    readonly segments: readonly {
      readonly fromMs: number;
      readonly toMs: number | null;
      readonly pricePerHour: number;
    }[];
  }[];
}

/** One request or command that the outside saw. */
export interface WorldCall {
  readonly service: string;
  readonly method?: string;
  readonly url?: string;
  readonly keyInUrl?: boolean;
  readonly secretInArgv?: boolean;
  readonly status?: number | null;
}

/** Speaks the control interface of the simulated outside: its ground truth, and the levers on it. */
export class WorldClient {
  constructor(private readonly controlUrl: string) {}

  async machines(): Promise<readonly WorldMachine[]> {
    const { machines } = (await this.call('GET', '/machines')) as { machines: readonly WorldMachine[] };
    return machines;
  }
  /** Machines that still cost money. */
  async running(): Promise<readonly WorldMachine[]> {
    return (await this.machines()).filter(({ endedAtMs }) => endedAtMs === null);
  }
  kill(machineId: string): Promise<unknown> {
    return this.call('POST', `/machines/${machineId}/kill`);
  }
  hurt(machineId: string, fault: object): Promise<unknown> {
    return this.call('POST', `/machines/${machineId}/fault`, fault);
  }
  /** Everywhere at RunPod, unless `more` says a cloud or a place. */
  setStock(gpu: string, free: number, more: object = {}): Promise<unknown> {
    return this.call('PUT', '/stock', { gpu, free, ...more });
  }
  /** List prices of one GPU, what is billed of them, or both. */
  setPrice(gpu: string, change: object): Promise<unknown> {
    return this.call('PUT', '/prices', { gpu, ...change });
  }
  /** What one machine is billed from now on. */
  reprice(machineId: string, pricePerHour: number): Promise<unknown> {
    return this.call('POST', `/machines/${machineId}/price`, { pricePerHour });
  }
  switchRunPod(switches: object): Promise<unknown> {
    return this.call('PUT', '/runpod', switches);
  }
  async ledger(): Promise<WorldLedger> {
    return (await this.call('GET', '/ledger')) as WorldLedger;
  }
  async calls(): Promise<readonly WorldCall[]> {
    const { calls } = (await this.call('GET', '/calls')) as { calls: readonly WorldCall[] };
    return calls;
  }
  clearFaults(): Promise<unknown> {
    return this.call('DELETE', '/faults');
  }
  addFault(rule: object): Promise<unknown> {
    return this.call('POST', '/faults', rule);
  }

  /** What is really so at Vast. */
  async vastTruth(): Promise<VastTruth> {
    return (await this.call('GET', '/vast/truth')) as VastTruth;
  }
  /** Something goes wrong at Vast, for whom the rule names; the kinds stand in the README of the simulated outside. */
  breakVast(rule: object): Promise<unknown> {
    return this.call('POST', '/vast/faults', rule);
  }
  mendVast(): Promise<unknown> {
    return this.call('DELETE', '/vast/faults');
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(new URL(path, this.controlUrl), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok)
      throw new Error(`the world answered ${response.status} to ${method} ${path}: ${await response.text()}`);
    return response.json();
  }
}
