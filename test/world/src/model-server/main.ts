import { realClock, seeded } from '../clock.js';
import { serve, type RunningServer } from '../http/node-server.js';
import { type ModelFault, type ModelServerConfig } from './config.js';
import { type HostMessage } from './messages.js';
import { ModelServer } from './server.js';

const PORT_TRIES = 20;

let server: ModelServer | undefined;
let pendingFault: ModelFault | undefined;

const exit = (): never => process.exit(1);

process.on('message', (message: HostMessage) => {
  if (message.kind === 'start') void load(message.port, message.config);
  else if (server) server.setFault(message.fault);
  else if (message.fault.kind === 'crash') exit();
  else pendingFault = message.fault;
});
// The channel closes when the world dies, however it dies; a model server must not outlive it.
process.on('disconnect', exit);
process.on('SIGTERM', exit);

async function load(port: number, config: ModelServerConfig): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, config.loadMs));
  const model = new ModelServer(config, realClock, seeded(process.pid), exit);
  await open(model, port);
  server = model;
  if (pendingFault) model.setFault(pendingFault);
}

/** A port just given up by another process may take a moment to become free. */
async function open(model: ModelServer, port: number): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await serve((request) => model.handle(request), port);
    } catch (error) {
      if (attempt === PORT_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
