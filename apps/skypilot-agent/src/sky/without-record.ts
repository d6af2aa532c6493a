import type { ObserveHints, ObserveResult } from '@davit/provider-kit';
import { type OwnMachine, rowOfMachine } from './machines.js';
import { present } from './seen.js';

/**
 * What is to be seen of a replica that SkyPilot has no record of; undefined when the clouds show nothing either. A machine
 * with an address goes on serving under it. One that never had an address cannot get one any more, so its start has failed.
 */
export function withoutRecord(own: readonly OwnMachine[], hints: ObserveHints): ObserveResult | undefined {
  const { url, launching, mayBeInvisible, purpose } = hints;
  const host = url === null ? null : new URL(url).host;
  const machine = own.find(({ addresses }) => host !== null && addresses.includes(host)) ?? own[0];
  if (machine === undefined) return undefined;
  const { source, providerId } = machine;
  const detail = `SkyPilot has lost its record; ${source} shows ${machine.detail}`;
  const isHopeless = purpose === 'follow' && launching && url === null && !mayBeInvisible;
  const seen = isHopeless
    ? present('failed', hints.providerId ?? providerId, null, `${detail}, and nobody knows its address`, 'transient')
    : present(machine.phase, hints.providerId ?? providerId, url, detail);
  const duplicates = own.filter((other) => other !== machine).map(rowOfMachine);
  return {
    ...seen,
    price: machine.price,
    recordLost: { source, providerId },
    ...(duplicates.length > 0 && { duplicates }),
  };
}
