import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { types } from 'node:util';
import { parseRecordedEvent } from '@davit/contracts';
import { followRoutes } from '@davit/subscriber';
import { connect } from 'nats';
import { ALIAS } from './unrest.js';

/** A set of routes that a consumer had in its hands. */
export type Sight = {
  /** Number of the snapshot, as far as what it reads tells one. */
  readonly snapshot: number;
  /** Incarnations, sorted. */
  readonly replicas: readonly string[];
  /** When the question was put; for what comes by itself, when it came. */
  readonly askedMs: number;
};

/** Somebody who follows the routes until told to stop, and keeps everything that he saw. */
export type Consumer = {
  readonly name: string;
  readonly sights: Sight[];
  /** What was no set of routes and no honest refusal either. */
  readonly nonsense: string[];
  readonly done: Promise<void>;
};

type Note = (snapshot: number, replicas: readonly string[], askedMs: number) => void;

function consumer(name: string, run: (note: Note, nonsense: (what: string) => void) => Promise<void>): Consumer {
  const sights: Sight[] = [];
  const nonsense: string[] = [];
  const note: Note = (snapshot, replicas, askedMs) =>
    void sights.push({ snapshot, replicas: [...replicas].sort(), askedMs });
  return { name, sights, nonsense, done: run(note, (what) => void nonsense.push(what)) };
}

export const overNats = (servers: string, signal: AbortSignal): Consumer =>
  consumer('NATS', async (note) => {
    const connection = await connect({ servers });
    for await (const { alias, snapshot, targets } of followRoutes(connection, { signal })) {
      const ids = targets.map(({ replica }) => replica);
      if (alias === ALIAS) note(snapshot, ids, Date.now());
    }
    await connection.close();
  });

/** Server-sent events; its connection is cut now and then, and it resumes from the last one that it had. */
export const overEventStream = (frontDoor: string, signal: AbortSignal): Consumer =>
  consumer('server-sent events', async (note) => {
    let last = '0';
    while (!signal.aborted) {
      const cut = AbortSignal.any([signal, AbortSignal.timeout(1_500)]);
      try {
        const url = new URL('/v1/events/stream?category=route', frontDoor);
        const answer = await fetch(url, { headers: { 'last-event-id': last }, signal: cut });
        let text = '';
        for await (const part of answer.body ?? []) {
          text += Buffer.from(part).toString();
          const messages = text.split('\n\n');
          text = messages.pop() ?? '';
          for (const message of messages) last = see(message, note) ?? last;
        }
      } catch (error) {
        if (!cut.aborted) throw error;
      }
    }
  });

/** Returns the id of the message, if it has one. */
function see(message: string, note: Note): string | undefined {
  const data = /^data: ?(.*)$/m.exec(message)?.[1];
  if (data === undefined) return undefined;
  // How far a filtered stream has looked is no event.
  if (/^event: davit\.stream\./m.test(message)) return /^id: ?(.*)$/m.exec(message)?.[1];
  const event = parseRecordedEvent(JSON.parse(data));
  if (event.type === 'davit.route.snapshot-published') {
    const { snapshot, targets } = event.data;
    note(
      snapshot,
      targets.map(({ replica }) => replica),
      Date.now(),
    );
  }
  return /^id: ?(.*)$/m.exec(message)?.[1];
}

type HttpSd = readonly { readonly labels: Readonly<Record<string, string>> }[];
const ofHttpSd = (groups: HttpSd): readonly [number, readonly string[]] => [
  Number(groups[0]?.labels['__meta_davit_snapshot']),
  groups.map(({ labels }) => labels['__meta_davit_replica'] ?? ''),
];

export const overHttpSd = (registry: string, signal: AbortSignal): Consumer =>
  polling('http_sd', signal, async (note, nonsense) => {
    const askedMs = Date.now();
    const answer = await fetch(new URL('/v1/exports/http_sd', registry));
    if (answer.status === 503) return;
    if (answer.ok) note(...ofHttpSd((await answer.json()) as HttpSd), askedMs);
    else nonsense(`status ${answer.status}`);
  });

type Discovered = {
  readonly resources: readonly {
    readonly endpoints: readonly {
      readonly lb_endpoints: readonly {
        readonly metadata: { readonly filter_metadata: { readonly davit: { readonly replica: string } } };
      }[];
    }[];
  }[];
};

/** Envoy's answers are numbered by the position of the log, which grows like the snapshots do. */
export const overEnvoy = (registry: string, signal: AbortSignal): Consumer =>
  polling('Envoy', signal, async (note, nonsense) => {
    const askedMs = Date.now();
    const answer = await fetch(new URL('/v3/discovery:endpoints', registry), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    if (answer.status === 503) return;
    if (!answer.ok) {
      nonsense(`status ${answer.status}`);
      return;
    }
    const { version_info: version, resources } = (await answer.json()) as Discovered & { version_info: string };
    const endpoints = resources.flatMap((resource) => resource.endpoints.flatMap((locality) => locality.lb_endpoints));
    note(
      Number(version),
      endpoints.map(({ metadata }) => metadata.filter_metadata.davit.replica),
      askedMs,
    );
  });

export const overFile = (file: string, signal: AbortSignal): Consumer =>
  polling('file', signal, async (note) => {
    const askedMs = Date.now();
    // Half a file is no JSON: that would end the test.
    note(...ofHttpSd(JSON.parse(await readFile(file, 'utf8')) as HttpSd), askedMs);
  });

function polling(
  name: string,
  signal: AbortSignal,
  look: (note: Note, nonsense: (what: string) => void) => Promise<void>,
): Consumer {
  return consumer(name, async (note, nonsense) => {
    while (!signal.aborted) {
      // Nobody listens while the registry is dead: whoever polls keeps what it has.
      await look(note, nonsense).catch((error: unknown) => {
        if (!isAway(error)) throw error;
      });
      await delay(15);
    }
  });
}

/** What a connection to a process that was just killed, or is not there yet, ends in. */
const isAway = (error: unknown): boolean =>
  // Errors of fetch are of another realm than the test's own.
  types.isNativeError(error) && error.name === 'TypeError' && /fetch failed|terminated/.test(error.message);
