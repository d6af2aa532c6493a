import type { DataSource } from 'typeorm';
import type { Section } from '../bench.js';
import { flatOut } from '../measure.js';
import { sampleData } from '../sample.js';

/** The yardstick: what this machine takes to insert one row of the same size, in order of nothing. */
export const plainInsert: Section = {
  title: 'Plain single-row insert, a transaction each',
  run: async ({ dataSource, baseline, seconds }) => {
    await dataSource.query(
      'create table plain (id bigint generated always as identity primary key, data json not null)',
    );
    const insert = insertInto(dataSource);
    const one = await flatOut(seconds, 1, insert);
    const eight = await flatOut(seconds, 8, insert);
    baseline.insert1 = one.perSecond;
    baseline.insert8 = eight.perSecond;
    baseline.p50Ms = one.p50Ms;
    baseline.p99Ms = one.p99Ms;
    return [
      { what: '1 writer', value: one.perSecond, unit: '/s', ratio: 1 },
      { what: '1 writer, p50', value: one.p50Ms, unit: 'ms' },
      { what: '1 writer, p99', value: one.p99Ms, unit: 'ms' },
      { what: '8 writers', value: eight.perSecond, unit: '/s', ratio: 1 },
    ];
  },
};

const insertInto = (dataSource: DataSource) => {
  const data = JSON.stringify(sampleData);
  return () => dataSource.query('insert into plain (data) values ($1)', [data]);
};
