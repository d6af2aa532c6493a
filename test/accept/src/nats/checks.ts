import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DavitClient } from '@davit/cli';
import { type RecordedEvent, parseRecordedEvent } from '@davit/contracts';
import { readLog, waitFor } from '@davit/e2e';
import { parse } from 'yaml';
import type { Tell } from '../results.js';
import { type Shell, blockOf, commandsIn } from './shell.js';

export interface Checked {
  readonly shell: Shell;
  readonly client: DavitClient;
  readonly tell: Tell;
}

const WAIT = { timeoutMs: 120_000, everyMs: 200 };
const SPECIFICATION = fileURLToPath(new URL('../../../../docs/examples/qwen3-8b.yaml', import.meta.url));
const ACCEPTED = /"outcome":"accepted"/g;

/** Every command for `nats` that the documentation shows, against a system that runs. */
export async function checkDocumented(checked: Checked): Promise<void> {
  await example(checked);
  await intents(checked);
  await readme(checked);
  await routes(checked);
  await fromPosition(checked);
  await plainPublish(checked);
  await deadLetters(checked);
}

/** The example of a client, as it stands. */
async function example({ shell, tell }: Checked): Promise<void> {
  const ran = await shell.run('bash docs/examples/clients/nats.sh', { env: { NAME: 'by-nats' } });
  const lines = ran.stdout.trim().split('\n');
  const at = Number(/ at (\d+)$/.exec(lines[1] ?? '')?.[1]);
  tell(
    'docs/examples/clients/nats.sh: a request of the bus tells what capacity is known',
    lines[0] === 'capacity is available',
    ran,
  );
  tell('… an intent is answered with its revision and position', lines[1] === `accepted revision 1 at ${at}`, ran);
  tell('… events follow from that position on', lines[2] === `${at + 1} davit.deployment.declared`, ran);
  tell(
    '… up to the route',
    lines.some((line) => line.endsWith(' davit.route.snapshot-published')),
    ran,
  );
  tell('… which is in the bucket', /^route leads to http:\/\/\S+$/.test(lines.at(-2) ?? ''), ran);
  tell('… and the deployment is deleted', ran.code === 0 && lines.at(-1) === 'deletion is accepted', ran);
}

/** docs/how-to/publish-intents.md declares a deployment and deletes it. */
async function intents({ shell, tell }: Checked): Promise<void> {
  const ran = await shell.run(blockOf('docs/how-to/publish-intents.md'));
  tell(
    'publish-intents.md: both commands are answered',
    ran.code === 0 && ran.stdout.match(ACCEPTED)?.length === 2,
    ran,
  );
}

/** README.md declares one of a file of JSON. */
async function readme({ shell, client, tell }: Checked): Promise<void> {
  const specification = JSON.stringify(parse(readFileSync(SPECIFICATION, 'utf8')));
  await waitFor('the one of the page before is gone', () => gone(client, 'qwen3-8b'), WAIT);
  const [apply = '', watch = ''] = commandsIn('README.md');
  const written = `cd "$(mktemp -d)" && printf %s "$SPECIFICATION" > deployment.json && ${apply}`;
  const ran = await shell.run(written, { env: { SPECIFICATION: specification } });
  tell('README.md: a specification as JSON is accepted', ran.code === 0 && ran.stdout.match(ACCEPTED) !== null, ran);
  const seen = await shell.run(watch, { until: /Received on "?davit\.log\.route\./ });
  tell('README.md: changes of routes are seen as they come', /davit\.log\.route\./.test(seen.stdout), seen);
}

/** docs/how-to/subscribe-to-routes.md reads the present snapshot. */
async function routes({ shell, client, tell }: Checked): Promise<void> {
  await waitFor('two replicas serve', async () => (await targetsOf(client)).length === 2 || undefined, WAIT);
  const [, read = ''] = commandsIn('docs/how-to/subscribe-to-routes.md');
  const urls = (await targetsOf(client)).map(({ url }) => url);
  // The bucket follows the log a moment later.
  const isThere = async (): Promise<true | undefined> => {
    const { stdout } = await shell.run(read);
    return urls.every((url) => stdout.includes(url)) || undefined;
  };
  const held = await waitFor('the bucket holds them', isThere, WAIT).catch(() => undefined);
  tell('subscribe-to-routes.md: the bucket holds the present targets', held !== undefined, urls);
}

/** A late subscriber is told the same as one that reads over HTTP, from any position. */
async function fromPosition({ shell, client, tell }: Checked): Promise<void> {
  const log = await readLog(client);
  const begin = Math.max(1, Math.floor(log.length / 2));
  const count = Math.min(25, log.length - begin + 1);
  const command = `nats subscribe --raw --stream LOG --start-sequence ${begin} 'davit.log.>'`;
  const ran = await shell.run(command, { until: new RegExp(`^(?:\\{.*\\n){${count}}`, 'm') });
  const told = eventsIn(ran.stdout).slice(0, count);
  const expected = log.slice(begin - 1, begin - 1 + count);
  tell(
    `${count} events from position ${begin} on are those of the log`,
    JSON.stringify(told) === JSON.stringify(expected),
    ran,
  );
}

/** Nobody is told, and it is done all the same. */
async function plainPublish({ shell, client, tell }: Checked): Promise<void> {
  const ran = await shell.run(`nats publish davit.intent.deployment.delete '{"name":"qwen3-8b"}'`);
  const ended = await waitFor('it is deleted', () => gone(client, 'qwen3-8b'), WAIT).catch(() => undefined);
  tell('a plain publish is carried out', ran.code === 0 && ended !== undefined, ran);
}

/** docs/how-to/operate.md looks at what could not be handled. */
async function deadLetters({ shell, tell }: Checked): Promise<void> {
  const refused = await shell.run(`nats request --timeout 10s davit.intent.deployment.apply 'no JSON'`);
  const told = refused.stdout + refused.stderr;
  tell('what is no JSON is answered with a header that says so', told.includes('Davit-Status: problem'), refused);
  const [view = '', get = ''] = commandsIn('docs/how-to/operate.md');
  // It pages, for which it wants a terminal.
  const seen = await shell.run(`script --quiet --command ${JSON.stringify(view)} /dev/null`, { until: /no JSON/ });
  tell('operate.md: dead letters are viewed', /Davit-Dead-Kind: poison[^]*no JSON/.test(seen.stdout), seen);
  const one = await shell.run(get.replace(/ \d+$/, ' 1'));
  tell('operate.md: one is read, with why', /Davit-Dead-Reason[^]*no JSON/.test(one.stdout), one);
}

const eventsIn = (text: string): readonly RecordedEvent[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => parseRecordedEvent(JSON.parse(line)));

const gone = async (client: DavitClient, name: string): Promise<true | undefined> =>
  (await client.deployment('default', name))?.status === 'deleted' || undefined;

const targetsOf = async (client: DavitClient) =>
  (await client.routes()).find(({ alias }) => alias === 'default/qwen3-8b')?.targets ?? [];
