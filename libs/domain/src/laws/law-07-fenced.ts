import { defineLaw, keyOf } from './violation.js';

/** Law 7: effects on one key carry lease epochs that never go back: an owner that lost its lease acts no more. */
export const law07 = defineLaw('law-07-fenced', (report) => {
  const epochs = new Map<string, { readonly epoch: number; readonly position: number }>();
  return {
    see(event) {
      if (!('leaseEpoch' in event.data)) return;
      const key = keyOf(event);
      const { leaseEpoch } = event.data;
      const before = epochs.get(key);
      if (before && leaseEpoch < before.epoch)
        report(event, key, `epoch ${leaseEpoch} acts after epoch ${before.epoch}`, [before.position]);
      epochs.set(key, { epoch: leaseEpoch, position: event.position });
    },
  };
});
