import { bootstrap } from '@davit/service-kit';
import { mayOpen } from './access/access-mode.js';
import { AppModule, SERVICE } from './app.module.js';

await bootstrap(AppModule, SERVICE, mayOpen);
