import { type Cloud } from '../cloud/cloud.js';
import { json, type WireRequest, type WireResponse } from '../http/wire.js';
import { type Defects } from './defects.js';
import { type VastEngine } from './engine/engine.js';
import { type Holder, type KeyRing } from './keys.js';
import { type VastOptions } from './options.js';
import { type VastStore } from './store.js';
import { type RouteSigner } from './worker/signer.js';

/** What every route works with. */
export interface VastParts {
  readonly store: VastStore;
  readonly engine: VastEngine;
  readonly cloud: Cloud;
  readonly options: VastOptions;
  readonly defects: Defects;
  readonly keys: KeyRing;
  readonly signer: RouteSigner;
}

/** A call to the console whose key was accepted. */
export interface ConsoleCall {
  readonly request: WireRequest;
  readonly holder: Holder;
  readonly id: number | undefined;
}

export const invalid = (msg: string): WireResponse => json(400, { success: false, error: 'invalid_args', msg });
export const notAllowed = (): WireResponse => json(405, { success: false, error: 'method_not_allowed' });
export const notFound = (msg: string): WireResponse => json(404, { success: false, error: 'not_found', msg });

/** For the strict setting: the first key of a body that the route does not know. */
export function unknownKeyIn(options: VastOptions, body: object, known: readonly string[]): WireResponse | undefined {
  if (options.unknownBodyKeys === 'ignore') return undefined;
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : invalid(`${unknown}: Extra inputs are not permitted`);
}

export const timeOf = ({ createdAt }: VastOptions, ms: number): number | string =>
  createdAt === 'epoch' ? ms / 1000 : new Date(ms).toISOString();
