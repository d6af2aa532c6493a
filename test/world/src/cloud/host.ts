import { type ModelServerConfig } from '../model-server/config.js';
import { type ModelFault } from '../model-server/faults.js';
import { type ServerEvents } from '../model-server/server.js';
import { type Traffic } from '../model-server/traffic.js';
import { type WireHandler, type WireReply, type WireRequest } from '../http/wire.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A model server that was asked to start. Most kinds keep their port closed until the model is loaded. */
export interface ServerHandle {
  /** Replaces the faults it has. */
  setFaults(faults: readonly ModelFault[]): void;
  /** Has it believe in a load. */
  believe(traffic: Traffic): void;
  /** Resolves when the port is closed. */
  stop(): Promise<void>;
}

/** An open port. */
export interface Listener {
  readonly address: Address;
  close(): Promise<void>;
}

/** Where model servers run: real processes on loopback, or memory. */
export interface MachineHost {
  /** An address on which nothing listens yet. */
  reserve(): Promise<Address>;
  start(address: Address, config: ModelServerConfig, events: ServerEvents): ServerHandle;
  release(address: Address): void;
  /** Opens a port of its own for a handler. */
  listen(handler: WireHandler): Promise<Listener>;
  /** Carries a request to whatever listens at its address. */
  route(request: WireRequest): Promise<WireReply>;
}
