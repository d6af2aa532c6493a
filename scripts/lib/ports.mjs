import { createServer } from 'node:net';

/**
 * The preferred port when nothing listens there, otherwise one the system picks.
 * @param {number} preferred 0 for any
 * @param {ReadonlySet<number>} [taken] ports promised to somebody else already
 * @returns {Promise<number>}
 */
export async function freePort(preferred, taken = new Set()) {
  if (preferred !== 0 && !taken.has(preferred) && (await canListen(preferred))) return preferred;
  for (;;) {
    const port = await listenOnce(0);
    if (!taken.has(port)) return port;
  }
}

/** @param {number} port */
async function canListen(port) {
  try {
    await listenOnce(port);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {number} port
 * @returns {Promise<number>}
 */
function listenOnce(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
