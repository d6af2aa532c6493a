import { type WireReply, type WireRequest, type WireResponse } from '../../http/wire.js';
import { type ModelServerConfig } from '../config.js';
import { type ServerState } from '../state.js';

/** How one kind of server behaves towards its clients. */
export interface Runtime {
  /** From which share of its load time on the port is open: 1 is when all is loaded, 0 is at once. */
  readonly listensFrom: number;
  /** Health once the engine is dead; null where engine and server are one process. */
  deadStatus(config: ModelServerConfig): 200 | 500 | 503 | null;
  /** Whether a path is answered only to those who have the key. */
  guards(path: string, config: ModelServerConfig): boolean;
  /** The key of a request, as this kind reads it. */
  keyOf(request: WireRequest, config: ModelServerConfig): string | undefined;
  unauthorized(status: 401 | 403): WireResponse;
  /** The answer while the model is loading; undefined when it is as ever. */
  whileLoading?(request: WireRequest, config: ModelServerConfig): WireResponse | undefined;
  route(request: WireRequest, state: ServerState): Promise<WireReply> | WireReply;
}
