import { MUTATING_STEPS } from './expected.js';
import { isVastOrder } from './rollouts.js';
import type { CellOutcome, Setting } from './run.js';
import { CALL_KINDS, type Kind, MESSAGE_KINDS, type Target } from '@davit/stage';

/** One run of the matrix: this stroke, in this setting. */
export interface Cell extends Setting {
  readonly target: Target;
}

/** What a scenario passes when nothing befalls it. */
export interface Probe extends Setting {
  readonly outcome: CellOutcome;
}

const isMessage = (id: string): boolean => id.startsWith('message ');
/** Whether it changes something outside. */
const isOrder = (id: string): boolean => isVastOrder(id) || MUTATING_STEPS.some((step) => sameCall(id, step));
const isAppend = (id: string): boolean => id.startsWith('append ');
const APPEND_KINDS = CALL_KINDS.filter((kind) => kind !== 'amid' && kind !== 'overslept');
/** A look that is cut off, or comes late, changes nothing; who dies after it is where one is who dies before it. */
const LOOK_KINDS = APPEND_KINDS.filter((kind) => kind !== 'after');

function kindsOf(id: string): readonly Kind[] {
  if (isMessage(id)) return MESSAGE_KINDS;
  if (isOrder(id)) return CALL_KINDS;
  return isAppend(id) ? APPEND_KINDS : LOOK_KINDS;
}

/** `command skypilot-agent sky launch` carries out `command sky launch`. */
export const sameCall = (id: string, step: string): boolean => {
  const [port, , ...rest] = id.split(' ');
  return [port, ...rest].join(' ') === step;
};

/** Another instance is needed to overtake one that stands still. */
const instancesFor = (kind: Kind, usual: number): number => (kind === 'overtaken' || kind === 'overslept' ? 2 : usual);

/**
 * Every point with every kind, each in the shortest scenario that passes it, at its first occurrence. With and without a
 * second instance in turns, where there is a probe of both: what is appended together, and so which points there are, differs between them.
 */
export function shortMatrix(probes: readonly Probe[]): readonly Cell[] {
  const passing = new Map<string, readonly Probe[]>();
  for (const probe of probes.toSorted((a, b) => a.outcome.events - b.outcome.events))
    for (const id of probe.outcome.strike.visits.keys()) passing.set(id, [...(passing.get(id) ?? []), probe]);
  const probed = new Set(probes.map(({ instances }) => instances));
  let turn = 0;
  return oneServiceAMessage([...passing]).flatMap(([id, passed]) =>
    kindsOf(id).flatMap((kind): readonly Cell[] => {
      const needed = instancesFor(kind, 1 + (turn++ % 2));
      const [usual] = passed;
      const cell = (probe: Probe, instances: number): Cell => ({
        ...{ scenario: probe.scenario, seed: probe.seed, instances },
        target: { id, nth: 1, kind },
      });
      const alike = probed.has(needed) ? passed.find(({ instances }) => instances === needed) : usual;
      if (alike) return [cell(alike, needed)];
      // It is passed with another number of instances alone.
      return usual && instancesFor(kind, usual.instances) === usual.instances ? [cell(usual, usual.instances)] : [];
    }),
  );
}

/**
 * A lost or doubled message meets the same code in every service, the runner of its projection: one of them misses it. Who does changes from
 * message to message and from turn to turn, so that every service misses some.
 */
function oneServiceAMessage<Item>(
  points: readonly (readonly [string, Item])[],
  turn = 0,
): readonly (readonly [string, Item])[] {
  const byType = new Map<string, (readonly [string, Item])[]>();
  for (const point of points) {
    const [id] = point;
    const key = isMessage(id) ? (id.split(' ')[2] ?? '') : id;
    byType.set(key, [...(byType.get(key) ?? []), point]);
  }
  return [...byType.values()].flatMap((group, index) => {
    const chosen = group[(index + turn) % group.length];
    return chosen ? [chosen] : [];
  });
}

/** Every point that a probe passes, each of its first `occurrences`, with every kind. */
export const fullMatrix = (probes: readonly Probe[], occurrences: number): readonly Cell[] =>
  probes.flatMap(({ scenario, seed, instances, outcome }, turn) =>
    Array.from({ length: occurrences }, (_, index) => index + 1).flatMap((nth) =>
      oneServiceAMessage(
        [...outcome.strike.visits].filter(([, count]) => count >= nth),
        turn + nth,
      ).flatMap(([id]) =>
        kindsOf(id)
          .filter((kind) => instancesFor(kind, instances) === instances)
          .map((kind) => ({ scenario, seed, instances, target: { id, nth, kind } })),
      ),
    ),
  );

/**
 * One of several parts, as in `2/8`: every eighth cell from the second on.
 * @throws RangeError for what names no part
 */
export function partOf<Item>(items: readonly Item[], part: string): readonly Item[] {
  const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(part) ?? []).map(Number);
  if (number < 1 || number > of) throw new RangeError(`--part ${part} names no part: write for example 2/8`);
  return items.filter((_, index) => index % of === number - 1);
}

/** Says which cell it was, in the form that `npm run matrix -- --cell` takes. */
export const cellName = ({ scenario, instances, seed, target }: Cell): string =>
  [scenario.name, `${instances} instances`, `seed ${seed}`, target.id, target.nth, target.kind].join(' | ');
