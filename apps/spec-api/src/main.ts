import { bootstrap } from '@davit/service-kit';
import { AppModule, SERVICE } from './app.module.js';

await bootstrap(AppModule, SERVICE);
