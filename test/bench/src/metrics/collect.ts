import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects what nobody holds any more. */
export const collect = runInNewContext('gc') as () => void; // what the flag makes
