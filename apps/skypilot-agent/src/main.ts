import { bootstrap } from '@davit/service-kit';
import { AppModule } from './app.module.js';

await bootstrap(AppModule, 'skypilot-agent');
