import { realClock, seeded } from '../clock.js';
import { serve, type RunningServer } from '../http/node-server.js';
import { type ModelServerConfig } from './config.js';
import { type HostMessage, type ServerMessage } from './messages.js';
import { ModelServer, opensAfterMs } from './server.js';

const PORT_TRIES = 20;

let server: ModelServer | undefined;

const exit = (): never => process.exit(1);

// The first message starts it; the channel keeps their order.
process.on('message', (message: HostMessage) => {
  if (message.kind === 'start') void load(message.port, message.config);
  else if (message.kind === 'faults') server?.setFaults(message.faults);
  else server?.believe(message.traffic);
});
// The channel closes when the world dies, however it dies; a model server must not outlive it.
process.on('disconnect', exit);
process.on('SIGTERM', exit);

async function load(port: number, config: ModelServerConfig): Promise<void> {
  const model = new ModelServer(config, realClock, seeded(process.pid), {
    exited: exit,
    keyShown: (shown) => tell({ kind: 'key-shown', shown }),
  });
  server = model;
  await new Promise((resolve) => setTimeout(resolve, opensAfterMs(config)));
  await open(model, port);
}

/** The world may be gone already. */
function tell(message: ServerMessage): void {
  if (process.connected) process.send?.(message, () => undefined);
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
