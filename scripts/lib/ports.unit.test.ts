import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from './ports.mjs';

async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

test('the usual port is taken when free, another one when somebody listens there or it is promised', async () => {
  const server = createServer();
  const port = await portOf(server);
  expect(await freePort(port)).not.toBe(port);
  server.close();
  await once(server, 'close');
  expect(await freePort(port)).toBe(port);
  expect(await freePort(port, new Set([port]))).not.toBe(port);
});
