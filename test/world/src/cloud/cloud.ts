import { randomHex, type WorldClock, type WorldRandom } from '../clock.js';
import { wholeBody, type WireHandler, type WireReply, type WireRequest } from '../http/wire.js';
import { type Ledger } from '../ledger.js';
import { type ModelServerConfig, type ServerChange } from '../model-server/config.js';
import { type ModelFault } from '../model-server/faults.js';
import { type Traffic } from '../model-server/traffic.js';
import { type KeysSeen } from './keys-seen.js';
import { type Address, type Listener, type MachineHost, type ServerHandle } from './host.js';
import { GPU_TYPES, gpuByName, type GpuType } from './gpus.js';
import { marketMachine, storageHourly } from './marketplace.js';
import { dollars, type Prices } from './prices.js';
import { type Stock, type Tier } from './stock.js';

export type MachinePhase = 'provisioning' | 'running' | 'ended';

export interface MachineSpec {
  readonly name: string;
  readonly cloud: string;
  /** Any name of the GPU type; empty for a machine without one. */
  readonly accelerator: string;
  readonly gpuCount: number;
  readonly place?: string | undefined;
  /** `SECURE` unless said. */
  readonly tier?: Tier;
  readonly spot?: boolean;
  /** Counts where the disk is a part of the price. */
  readonly diskGb?: number;
  readonly owner: string;
  readonly image: string | null;
}

export interface Machine extends MachineSpec {
  readonly id: string;
  readonly region: string;
  /** What is billed at present, USD. */
  pricePerHour: number;
  readonly createdAtMs: number;
  readonly address: Address;
  phase: MachinePhase;
  endedAtMs: number | null;
  endReason: string | null;
  server: ServerHandle | null;
  serverConfig: ModelServerConfig | null;
  /** The model server was started and has stopped by itself. */
  serverExited: boolean;
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly machine: Machine }
  | { readonly kind: 'refused'; readonly reason: 'no-capacity' | 'unknown-accelerator' };

/** Every machine of every provider. What an API shows of them is another matter. */
export class Cloud {
  private readonly machines = new Map<string, Machine>();
  private readonly endListeners: ((machine: Machine) => void)[] = [];
  private readonly exitListeners: ((machine: Machine) => void)[] = [];

  constructor(
    private readonly clock: WorldClock,
    private readonly random: WorldRandom,
    private readonly host: MachineHost,
    readonly stock: Stock,
    readonly prices: Prices,
    private readonly ledger: Ledger,
    private readonly keysSeen: KeysSeen,
  ) {}

  /** Rents a machine, if the stock allows it. Its phase is `provisioning` until `boot`. */
  async create(spec: MachineSpec): Promise<CreateOutcome> {
    const gpu = gpuByName(spec.accelerator);
    if (!gpu && spec.accelerator !== '') return { kind: 'refused', reason: 'unknown-accelerator' };
    const place = gpu ? this.placeFor(spec, gpu) : 'default';
    if (place === undefined) return { kind: 'refused', reason: 'no-capacity' };
    const pricePerHour = gpu ? this.billedPrice(spec, gpu, place) : 0.1;
    if (gpu) this.stock.take(spec.cloud, gpu.id, place, spec.gpuCount, spec.tier);
    const address = await this.host.reserve();
    const machine: Machine = {
      ...spec,
      id: randomHex(this.random, 14),
      region: place,
      pricePerHour,
      createdAtMs: this.clock.nowMs(),
      address,
      phase: 'provisioning',
      endedAtMs: null,
      endReason: null,
      server: null,
      serverConfig: null,
      serverExited: false,
    };
    this.machines.set(machine.id, machine);
    const { id, name, cloud, region, accelerator, gpuCount, owner } = machine;
    this.ledger.open({ id, name, cloud, region, accelerator, gpuCount, pricePerHour, owner });
    return { kind: 'created', machine };
  }

  private placeFor({ cloud, gpuCount, place, tier }: MachineSpec, gpu: GpuType): string | undefined {
    const [best] = this.stock.placesFor(cloud, gpu.id, gpuCount, place, tier);
    return best === undefined || this.stock.raceLost(cloud, gpu.id) ? undefined : best;
  }

  /** Of the cheapest machine that is free; a machine of the marketplace is billed with its disk. */
  private billedPrice(spec: MachineSpec, gpu: GpuType, place: string): number {
    const { cloud, gpuCount, tier = 'SECURE', spot = false, diskGb = 0 } = spec;
    const list = this.prices.of(cloud, gpu, tier, spot) ?? gpu.securePrice;
    const factor = this.prices.billedFactor(cloud, gpu) * gpuCount;
    if (cloud !== 'vast') return dollars(list * factor);
    const offer = marketMachine(GPU_TYPES.indexOf(gpu), this.stock.rentedAt(cloud, gpu.id, place));
    return dollars(list * offer.factor * factor + storageHourly(offer, diskGb));
  }

  /** The provider bills another price from now on. */
  reprice(machine: Machine, pricePerHour: number): boolean {
    if (machine.phase === 'ended') return false;
    machine.pricePerHour = pricePerHour;
    this.ledger.reprice(machine.id, pricePerHour);
    return true;
  }

  boot(machine: Machine): void {
    if (machine.phase === 'provisioning') machine.phase = 'running';
  }

  /** Starts the model server of a running machine; false when one holds the port already. */
  startServer(machine: Machine, config: ModelServerConfig): boolean {
    if (machine.phase !== 'running' || (machine.server && !machine.serverExited)) return false;
    machine.serverConfig = config;
    machine.serverExited = false;
    const handle = this.host.start(machine.address, config, {
      exited: () => {
        if (machine.server !== handle) return;
        machine.serverExited = true;
        for (const listener of this.exitListeners) listener(machine);
      },
      keyShown: (shown) => this.keysSeen.note(`${machine.address.host}:${machine.address.port}`, shown),
    });
    machine.server = handle;
    return true;
  }

  /** Ends the model server and starts it again, changed or as it was; its counters begin anew. */
  async restartServer(machine: Machine, change: ServerChange): Promise<boolean> {
    const { serverConfig } = machine;
    if (!machine.server || !serverConfig || machine.phase !== 'running') return false;
    await this.stopServer(machine);
    return this.startServer(machine, { ...serverConfig, ...change });
  }

  async stopServer(machine: Machine): Promise<void> {
    const { server } = machine;
    machine.server = null;
    await server?.stop();
  }

  /** Replaces the faults of a model server; false when there is none. */
  setFault(machine: Machine, ...faults: readonly ModelFault[]): boolean {
    if (!machine.server || machine.phase !== 'running') return false;
    machine.server.setFaults(faults);
    return true;
  }

  /** Has a model server believe in a load; false when there is none. */
  setTraffic(machine: Machine, traffic: Traffic): boolean {
    if (!machine.server || machine.phase !== 'running') return false;
    machine.server.believe(traffic);
    return true;
  }

  /** Ends a machine for good: the port closes, billing stops, the GPUs return to stock. */
  async end(machine: Machine, reason: string): Promise<void> {
    if (machine.phase === 'ended') return;
    machine.phase = 'ended';
    machine.endReason = reason;
    machine.endedAtMs = this.clock.nowMs();
    const gpu = gpuByName(machine.accelerator);
    if (gpu) this.stock.give(machine.cloud, gpu.id, machine.region, machine.gpuCount, machine.tier);
    this.ledger.close(machine.id, reason);
    await this.stopServer(machine);
    this.host.release(machine.address);
    for (const listener of this.endListeners) listener(machine);
  }

  onEnd(listener: (machine: Machine) => void): void {
    this.endListeners.push(listener);
  }

  /** Told when a model server ends by itself. */
  onServerExit(listener: (machine: Machine) => void): void {
    this.exitListeners.push(listener);
  }

  /** What is charged for a machine from now on, whatever its price is: USD an hour. */
  billAt(machine: Machine, perHour: number): void {
    this.ledger.reprice(machine.id, perHour);
  }

  /** A further port of the outside, on which something other than a model server answers. */
  listen(handler: WireHandler): Promise<Listener> {
    return this.host.listen(handler);
  }

  /** Sends a request to the model server of a machine. */
  request(machine: Machine, request: Omit<WireRequest, 'url'> & { readonly path: string }): Promise<WireReply> {
    const { host, port } = machine.address;
    return this.host.route({ ...request, url: new URL(request.path, `http://${host}:${port}`) });
  }

  async isHealthy(machine: Machine): Promise<boolean> {
    const reply = await this.request(machine, { method: 'GET', path: '/health', headers: {}, body: '' });
    if (reply.kind !== 'response') return false;
    await wholeBody(reply.body);
    return reply.status === 200;
  }

  /** A machine by id or by name; of several with one name, the youngest. */
  find(idOrName: string): Machine | undefined {
    return this.machines.get(idOrName) ?? this.all().findLast((machine) => machine.name === idOrName);
  }

  all(): readonly Machine[] {
    return [...this.machines.values()];
  }

  running(): readonly Machine[] {
    return this.all().filter((machine) => machine.phase !== 'ended');
  }
}
