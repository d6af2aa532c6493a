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
  setStock(gpu: string, free: number): Promise<unknown> {
    return this.call('PUT', '/stock', { gpu, free });
  }
  clearFaults(): Promise<unknown> {
    return this.call('DELETE', '/faults');
  }
  addFault(rule: object): Promise<unknown> {
    return this.call('POST', '/faults', rule);
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
