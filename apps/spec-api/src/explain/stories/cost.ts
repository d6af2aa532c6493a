import { type ExplainView, type RecordedEvent, stream, counted } from '@davit/contracts';
import {
  type DeploymentState,
  type Meter,
  type ReplicaState,
  type RolloutState,
  confirmedOn,
  describeSpent,
  groupOf,
  heldOn,
  rateNow,
  readableMeter,
} from '@davit/domain';
import { type StoryPage, type Told, answerOf, isKey } from '../answer.js';
import { brokenDeclarations } from '../gaps.js';
import { joined } from '../line.js';
import { NOTHING, type Part, parts, readPart } from '../part-reader.js';
import { storyOf } from '../story.js';
import { readWishes } from '../wishes.js';
import { MeterNotes } from './meter-notes.js';

/** Machines whose prices are told one by one, the latest. */
const MAX_MACHINES = 200;
/** Why a machine was there at all, and which price it was chosen for. */
const OF_A_REPLICA: readonly RecordedEvent['type'][] = [
  'davit.replica.requested',
  'davit.replica.placed',
  'davit.replica.failed',
];

interface Machine {
  readonly meter: Meter;
  readonly replica: ReplicaState;
  readonly since: string;
}

/** Why a deployment came to cost what it does: each price, from where on and until where. Undefined for one that the log does not know. */
export async function explainCost(told: Told, key: string, page: StoryPage): Promise<ExplainView | undefined> {
  const { log, model, nowMs } = told;
  const stored = isKey(key) ? await model.get<DeploymentState>('deployment', key) : undefined;
  if (!stored) return undefined;
  const machines = await machinesOf(model, key);
  const readable = machines.flatMap((machine) => {
    const meter = readableMeter(machine.meter);
    return meter ? [{ ...machine, meter }] : [];
  });
  const shown = readable.slice(-MAX_MACHINES);
  const notes = new MeterNotes();
  for (const { meter, replica } of shown) notes.add(replica.rolloutId === undefined ? replica.id : null, meter);
  const [wishes, ...lives] = await Promise.all([
    readWishes(log, { tenant: stored.document.tenant, deployment: key }, ALL_OF_IT),
    ...shown.map(({ replica }) => pricesOf(log, replica, notes)),
  ]);
  const past = parts([wishes, ...lives, cutOf(machines.length - readable.length, readable.length)]);
  const meters = readable.map(({ meter }) => meter);
  return answerOf(
    told,
    {
      about: { kind: 'cost', name: key },
      now: nowOf(meters, nowMs),
      past,
      broken: brokenDeclarations(past.events),
      lines: notes.addedTo(storyOf(past.events), past.events),
    },
    page,
  );
}

const ALL_OF_IT = { revision: null, from: 0, to: Number.MAX_SAFE_INTEGER };

async function machinesOf(model: Told['model'], key: string): Promise<readonly Machine[]> {
  const [replicas, rollouts] = await Promise.all([
    model.list<ReplicaState>('replica', groupOf.deployment(key)),
    model.list<RolloutState>('rollout', groupOf.rolloutsOf(key)),
  ]);
  const found: Machine[] = [
    ...replicas.flatMap(({ document: replica }) => machineOf(replica.meter, replica)),
    ...rollouts.flatMap(({ document: { canary } }) => (canary ? machineOf(canary.meter, canary.resource) : [])),
  ];
  return found.sort((a, b) => (a.since < b.since ? -1 : 1));
}

const machineOf = (meter: Meter | null, replica: ReplicaState): Machine[] =>
  meter ? [{ meter, replica, since: meter.since }] : [];

/** The events that a meter cites, and those that say why the machine was there. */
async function pricesOf(log: Told['log'], replica: ReplicaState, notes: MeterNotes): Promise<Part> {
  const { id, rolloutId, mode, externalKey } = replica;
  const keep = ({ position, type }: RecordedEvent): boolean => notes.has(position) || OF_A_REPLICA.includes(type);
  const read = await Promise.all([
    readPart(log, rolloutId === undefined ? stream.replica(id) : stream.rollout(rolloutId), { keep }),
    readPart(log, mode === 'serverless' ? stream.endpoint(externalKey) : stream.resource(externalKey), { keep }),
  ]);
  return parts(read);
}

function cutOf(unreadable: number, readable: number): Part {
  return {
    ...NOTHING,
    unread:
      unreadable > 0
        ? [`The books of ${counted(unreadable, 'machine')} cannot be read; what they cost comes on top.`]
        : [],
    cut:
      readable > MAX_MACHINES ? [`Only the latest ${MAX_MACHINES} of ${readable} machines are told one by one.`] : [],
  };
}

function nowOf(meters: readonly Meter[], nowMs: number): string {
  const { amounts, unpriced, billing } = rateNow(meters);
  const hourly = amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(' and ');
  return joined(
    `at most ${describeSpent(heldOn(meters, 0, nowMs))} since the beginning, on ${counted(meters.length, 'machine')}`,
    `${describeSpent(confirmedOn(meters, 0, nowMs))} of it while the provider showed them run`,
    billing === 0
      ? 'nothing bills now'
      : `${hourly === '' ? 'an unknown price' : hourly} an hour now, on ${counted(billing, 'machine')}`,
    unpriced > 0 && hourly !== '' && `${unpriced} of them at a price that nobody said`,
  );
}
