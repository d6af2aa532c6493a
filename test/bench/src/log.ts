import { createDataSource, migrate } from '@davit/event-log';
import { connect } from 'nats';
import type { Section } from './bench.js';
import { runSections } from './run.js';
import { append } from './sections/append.js';
import { disk } from './sections/disk.js';
import { plainInsert } from './sections/plain-insert.js';
import { projection } from './sections/projection.js';
import { relay } from './sections/relay.js';

/** In this order: later sections compare themselves with the plain insert and use the events of earlier ones. */
const SECTIONS: readonly Section[] = [disk, plainInsert, append, relay, projection];

await runSections(SECTIONS, {
  openDatabase: async (url) => {
    const dataSource = await createDataSource({ url, applicationName: 'davit-bench', poolSize: 12 }).initialize();
    await migrate(dataSource);
    return dataSource;
  },
  openBus: (servers) => connect({ servers, name: 'davit-bench' }),
});
