import { createDataSource, migrate } from '@davit/event-log';
import { connect } from 'nats';
import { runSections } from './run.js';
import { plainInsert } from './sections/plain-insert.js';
import { reconcile } from './sections/reconcile.js';

/** What a large fleet costs a service. The plain insert stands beside it, as the measure of the machine. */
await runSections([plainInsert, reconcile], {
  openDatabase: async (url) => {
    const dataSource = await createDataSource({ url, applicationName: 'davit-bench', poolSize: 12 }).initialize();
    await migrate(dataSource);
    return dataSource;
  },
  openBus: (servers) => connect({ servers, name: 'davit-bench' }),
});
