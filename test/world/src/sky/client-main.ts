import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { callerOf } from './caller.js';
import { type SkyCaller, type SkyOutcome } from './context.js';

// The program behind the `sky` executable: it holds no state and asks the world for everything.
const [controlUrl = '', salt = '', ...argv] = process.argv.slice(2);

const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);

function readFile(path: string): Promise<string | undefined> {
  try {
    return Promise.resolve(readFileSync(path, 'utf8'));
  } catch {
    return Promise.resolve(undefined);
  }
}

/** One exchange over plain `http`, which unlike `fetch` waits as long as the world does. */
const ask = (caller: SkyCaller): Promise<SkyOutcome> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const exchange = request(`${controlUrl}/sky`, { method: 'POST', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (body += piece));
      response.on('end', () => resolve(JSON.parse(body) as SkyOutcome)); // written by this world's control interface
      response.on('error', reject);
    });
    exchange.on('error', reject);
    exchange.end(JSON.stringify(caller));
  });

const write = (stream: NodeJS.WriteStream, content: string): Promise<void> =>
  new Promise((resolve) => {
    stream.write(content, () => resolve());
  });

const outcome: SkyOutcome = await ask(await callerOf(salt, { argv, env, readFile })).catch(
  (error: unknown): SkyOutcome => ({
    kind: 'exited',
    exitCode: 1,
    stdout: '',
    stderr: `sky.exceptions.ApiServerConnectionError: Could not connect to SkyPilot API server (${String(error)}).\n`,
  }),
);

switch (outcome.kind) {
  case 'killed':
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'hung':
    process.on('SIGTERM', () => undefined);
    setInterval(() => undefined, 60_000);
    break;
  case 'exited':
    await write(process.stdout, outcome.stdout);
    await write(process.stderr, outcome.stderr);
    process.exitCode = outcome.exitCode;
}
