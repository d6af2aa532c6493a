#!/usr/bin/env node
import { prepare } from './lib/build.mjs';
import { runCommand, say } from './lib/say.mjs';
import { startSystem } from './lib/system.mjs';

await runCommand(async () => {
  await prepare();
  say('Starting …');
  const system = await startSystem({ name: 'up' });
  if (process.argv.includes('--json')) {
    process.stdout.write(
      `${JSON.stringify({ ok: true, urls: system.urls, natsUrl: system.natsUrl, dir: system.dir })}\n`,
    );
  }
  const lines = Object.entries(system.urls).map(([name, url]) => `  ${name.padEnd(17)} ${url}`);
  say(`
Davit is running.

${lines.join('\n')}
  ${'nats'.padEnd(17)} ${system.natsUrl}
  ${'postgres'.padEnd(17)} ${withoutPassword(system.databaseUrl)}
  ${'world'.padEnd(17)} ${system.world?.controlUrl ?? 'off: real providers'}

Data and logs: ${system.dir} (kept for the next start)

In a browser: ${system.urls['spec-api']}

In another terminal:
  export DAVIT_URL=${system.urls['spec-api']}
  npx davit apply -f docs/examples/qwen3-8b.yaml
  npx davit get replicas
  npx davit events --follow

Ctrl-C stops everything.`);
  await new Promise(() => setInterval(() => undefined, 1 << 30));
});

/** @param {string} address */
function withoutPassword(address) {
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  return url.href;
}
