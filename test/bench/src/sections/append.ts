import { PostgresEventLog, preparedStatements } from '@davit/event-log';
import type { Section } from '../bench.js';
import { flatOut, paced } from '../measure.js';
import { appender } from '../sample.js';

const GROUPED_CALLERS = 64;

/** Durable appends of one event with an expected version. */
export const append: Section = {
  title: 'Durable append of one event',
  run: async ({ dataSource, baseline, seconds }) => {
    // A log each, so that writers do not share commits, as if each were a process.
    const separate = Array.from({ length: 8 }, (_, n) =>
      appender(new PostgresEventLog(preparedStatements(dataSource)), `separate-${n}`),
    );
    const byWriter = (writer: number) => separate[writer]?.() ?? Promise.resolve(0);
    const one = await flatOut(seconds, 1, byWriter);
    const eight = await flatOut(seconds, 8, byWriter);

    const shared = new PostgresEventLog(preparedStatements(dataSource));
    const callers = Array.from({ length: GROUPED_CALLERS }, (_, n) => appender(shared, `grouped-${n}`));
    const grouped = await flatOut(seconds, GROUPED_CALLERS, (caller) => callers[caller]?.() ?? Promise.resolve(0));

    const steadyAppend = appender(new PostgresEventLog(preparedStatements(dataSource)), 'steady');
    const steady = await paced(500, seconds * 2, () => steadyAppend());
    return [
      {
        what: '1 writer, an event a transaction',
        value: one.perSecond,
        unit: '/s',
        ratio: one.perSecond / baseline.insert1,
        budget: { atLeast: 1_000 },
      },
      { what: '1 writer, p50', value: one.p50Ms, unit: 'ms', ratio: one.p50Ms / baseline.p50Ms },
      { what: '1 writer, p99', value: one.p99Ms, unit: 'ms', ratio: one.p99Ms / baseline.p99Ms },
      {
        what: '8 writers, an event a transaction',
        value: eight.perSecond,
        unit: '/s',
        ratio: eight.perSecond / baseline.insert8,
        budget: { atLeast: 1_000 },
      },
      {
        what: `${GROUPED_CALLERS} callers of one process, sharing commits`,
        value: grouped.perSecond,
        unit: '/s',
        ratio: grouped.perSecond / baseline.insert8,
      },
      { what: 'at 500/s, p50', value: steady.p50Ms, unit: 'ms', ratio: steady.p50Ms / baseline.p50Ms },
      {
        what: 'at 500/s, p99',
        value: steady.p99Ms,
        unit: 'ms',
        ratio: steady.p99Ms / baseline.p99Ms,
        budget: { atMost: 15 },
      },
    ];
  },
};
