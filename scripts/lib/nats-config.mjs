import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RECOMMENDED_NATS, atLeast } from './nats-version.mjs';

/**
 * Writes the settings of a loopback-only server with JetStream.
 * @param {{ dir: string, port: number, version: readonly number[], durable?: boolean }} options `durable` syncs every write where the server can
 * @returns {string} the settings file
 */
export function writeNatsConfig({ dir, port, version, durable = true }) {
  const storeDir = path.join(dir, 'store');
  mkdirSync(storeDir, { recursive: true });
  const file = path.join(dir, 'nats.conf');
  const sync = durable && atLeast(version, RECOMMENDED_NATS) ? '\n  sync_interval: always' : '';
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"
server_name: davit
max_payload: 8MB
jetstream {
  store_dir: ${JSON.stringify(storeDir)}
  max_memory_store: 256MB
  max_file_store: 20GB${sync}
}
`,
  );
  return file;
}
