import { type ModelFault, type ModelServerConfig } from '../model-server/config.js';
import { type WireReply, type WireRequest } from '../http/wire.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A model server that was asked to start; its port stays closed until the model is loaded. */
export interface ServerHandle {
  setFault(fault: ModelFault): void;
  /** Resolves when the port is closed. */
  stop(): Promise<void>;
}

/** Where model servers run: real processes on loopback, or memory. */
export interface MachineHost {
  /** An address on which nothing listens yet. */
  reserve(): Promise<Address>;
  start(address: Address, config: ModelServerConfig, onExit: () => void): ServerHandle;
  release(address: Address): void;
  /** Carries a request to whatever listens at its address. */
  route(request: WireRequest): Promise<WireReply>;
}
