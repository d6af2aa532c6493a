import type { ViewedLog } from './asking.js';

/** The log as it was when it ended at a position. */
export const logUpTo = (log: ViewedLog, position: number): ViewedLog => ({
  head: () => Promise.resolve(position),
  read: async (after, limit) => (after >= position ? [] : await log.read(after, Math.min(limit, position - after))),
  readStream: async (stream, afterVersion, part) =>
    (await log.readStream(stream, afterVersion, part)).filter((event) => event.position <= position),
});
