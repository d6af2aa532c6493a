import type { MirrorNames } from '@davit/event-log';

/** Apart from the mirror of a system that may run on the same broker. */
export const benchNames: MirrorNames = {
  stream: 'BENCH_LOG',
  allSubjects: 'bench.log.>',
  subjectOf: (type) => `bench.log.${type}`,
  poke: 'bench.poke',
};
