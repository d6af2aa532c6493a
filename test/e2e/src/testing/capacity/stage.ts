import type { Market } from '../market.js';
import type { Rig } from '../rig.js';

/** What the cases play on. It exists only once the tests run. */
export type Stage = () => { readonly rig: Rig; readonly market: Market };
