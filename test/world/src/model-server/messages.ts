import { type ModelServerConfig } from './config.js';
import { type ModelFault } from './faults.js';
import { type KeyShown } from './keys.js';
import { type Traffic } from './traffic.js';

/** What the world tells its model servers over the channel between the processes. */
export type HostMessage =
  | { readonly kind: 'start'; readonly port: number; readonly config: ModelServerConfig }
  | { readonly kind: 'faults'; readonly faults: readonly ModelFault[] }
  | { readonly kind: 'traffic'; readonly traffic: Traffic };

/** What a model server tells the world. */
export interface ServerMessage {
  readonly kind: 'key-shown';
  readonly shown: KeyShown;
}
