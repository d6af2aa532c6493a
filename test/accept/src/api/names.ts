import { OPERATIONS } from '@davit/contracts';
import { type Fleet, SPARE } from './fleet.js';
import type { Receiver } from './receiver.js';

export const SECRET = 'DAVIT_WEBHOOK_SECRET_FUZZ';

type Members = Readonly<Record<string, unknown>>;

/** What a made-up request may speak of; `python/known_names.py` reads it. */
export interface Names {
  /** By path as OpenAPI writes it: sets of its parameters. */
  readonly paths: Readonly<Record<string, readonly Members[]>>;
  readonly query: Readonly<Record<string, readonly unknown[]>>;
  /** By path: members of its body. */
  readonly bodies: Readonly<Record<string, readonly Members[]>>;
  /** Names of deployments that requests may declare. */
  readonly made: readonly string[];
  readonly receiver: string;
}

/** Asks the front door what there is, and registers webhooks at the receiver to speak of. */
export async function knownNames({ url, manifests }: Fleet, receiver: Receiver): Promise<Names> {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(new URL(path, url), body === undefined ? {} : init);
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const all = async (path: string): Promise<readonly Members[]> =>
    ((await ask(path)) as { readonly items: readonly Members[] }).items; // as the contract says of every list
  const textsOf = async (path: string, member: string): Promise<readonly string[]> =>
    (await all(path)).map((item) => String(item[member]));
  const webhook = { url: receiver.url, tenants: 'all', secret: { env: SECRET } };
  for (const name of ['first', 'second', 'third']) await ask('/v1/webhooks', { ...webhook, name, after: 0 });

  const declaredNames = await all('/v1/deployments?all=true');
  const deployments = declaredNames.map(({ tenant, name }) => `${String(tenant)}/${String(name)}`);
  const replicas = await textsOf('/v1/replicas?all=true', 'id');
  const allRollouts = await all('/v1/rollouts?all=true');
  const rollouts = allRollouts.map(({ id }) => String(id));
  const orphans = await textsOf('/v1/orphans?all=true', 'key');
  const alarms = await all('/v1/alarms');
  const { items: events, head } = (await ask('/v1/events?limit=1000')) as {
    readonly items: readonly { readonly position: number; readonly time: string }[];
    readonly head: number;
  }; // as the contract says
  const instants = [
    String(head),
    ...events.filter((_, index) => index % 50 === 0).flatMap(({ position, time }) => [String(position), time]),
  ];
  const split = (member: string, ids: readonly string[]): Members[] =>
    ids.map((id) => ({ tenant: id.slice(0, id.indexOf('/')), [member]: id.slice(id.indexOf('/') + 1) }));
  const named = split('name', deployments);
  const kinds: Readonly<Record<string, readonly Members[]>> = {
    deployments: named.flatMap((one) => [1, 2].map((revision) => ({ ...one, revision }))),
    costs: named,
    replicas: split('name', replicas),
    waits: split('name', replicas),
    rollouts: split('rollout', rollouts),
    verdicts: split('rollout', rollouts),
    routes: split('alias', await textsOf('/v1/routes', 'alias')),
    resources: (await textsOf('/v1/resources?all=true', 'key')).map((key) => ({ key })),
    orphans: orphans.map((key) => ({ key })),
    intents: (await textsOf('/v1/intents', 'id')).map((id) => ({ id })),
    keys: (await textsOf('/v1/keys', 'id')).map((id) => ({ id })),
    webhooks: (await textsOf('/v1/webhooks', 'id')).map((id) => ({ id })),
    budgets: [{ tenant: 'default' }],
  };
  const spare = SPARE.map((name) => ({ tenant: 'default', name }));
  const onRollouts = allRollouts.map(({ id, waiting }) => {
    const { evidenceDigest } = (waiting ?? {}) as { readonly evidenceDigest?: string }; // as the contract says
    return { rollout: id, ...(evidenceDigest === undefined ? {} : { evidenceDigest }) };
  });
  const declared = manifests.map((deployment) => ({ deployment }));
  const to = events.at(-1)?.time;
  const tried = deployments.flatMap((against) =>
    manifests.map((deployment) => ({ deployment, against, from: '1h', to })),
  );
  return {
    paths: filled(Object.fromEntries(OPERATIONS.map(({ path, params }) => [path, params ? partsOf(path, kinds) : []]))),
    query: filled({
      ...{ deployment: deployments, against: deployments, replica: replicas, tenant: ['default'] },
      ...{ alarm: alarms.map(({ alarm }) => alarm), about: alarms.map(({ about }) => about) },
      ...{ at: instants, from: instants, to: instants },
    }),
    bodies: filled({
      ...{ '/v1/plan': declared, '/v1/intents/deployment/apply': declared, '/v1/whatif': tried },
      ...{ '/v1/plan/delete': named, '/v1/intents/deployment/delete': spare, '/v1/intents/deployment/cancel': spare },
      ...Object.fromEntries(
        ['scale', 'pause', 'resume', 'retry'].map((verb) => [`/v1/intents/deployment/${verb}`, named]),
      ),
      ...Object.fromEntries(['approve', 'reject', 'abort'].map((verb) => [`/v1/intents/rollout/${verb}`, onRollouts])),
      ...Object.fromEntries(
        ['set', 'clear'].map((verb) => [`/v1/intents/tenant/${verb}-budget`, [{ tenant: 'default' }]]),
      ),
      '/v1/replay': deployments.map((deployment) => ({ deployment })),
      '/v1/webhooks': [webhook],
      '/v1/intents/orphan/reap': orphans.map((orphan) => ({ orphan })),
    }),
    made: [...SPARE, 'made-a', 'made-b'],
    receiver: receiver.url,
  };
}

/** Parameters of a path by the kind of thing that it names; only those that it has. */
function partsOf(path: string, kinds: Readonly<Record<string, readonly Members[]>>): readonly Members[] {
  const kind = path.replace(/^\/v1\/(explain\/)?/, '').split('/')[0] ?? '';
  const members = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return (kinds[kind] ?? []).map((known) => Object.fromEntries(members.map((name) => [name, known[name]])));
}

/** Nothing is drawn from what is empty. */
const filled = <Value>(lists: Readonly<Record<string, readonly Value[]>>): Record<string, readonly Value[]> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
