import { type ModelFault, type ModelServerConfig } from './config.js';

/** What the world tells its model servers over the channel between the processes. */
export type HostMessage =
  | { readonly kind: 'start'; readonly port: number; readonly config: ModelServerConfig }
  | { readonly kind: 'fault'; readonly fault: ModelFault };
