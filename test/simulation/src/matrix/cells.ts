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
/** A look that is cut off, or comes late, changes nothing outside. */
const isMutating = (id: string): boolean => isVastOrder(id) || MUTATING_STEPS.some((step) => sameCall(id, step));
const ORDERS_ONLY: ReadonlySet<Kind> = new Set(['amid', 'overslept']);

function kindsOf(id: string): readonly Kind[] {
  if (isMessage(id)) return MESSAGE_KINDS;
  return CALL_KINDS.filter((kind) => !ORDERS_ONLY.has(kind) || isMutating(id));
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
 * second instance in turns.
 */
export function shortMatrix(probes: readonly Probe[]): readonly Cell[] {
  const shortest = new Map<string, Probe>();
  for (const probe of probes.toSorted((a, b) => a.outcome.events - b.outcome.events))
    for (const id of probe.outcome.strike.visits.keys()) if (!shortest.has(id)) shortest.set(id, probe);
  let turn = 0;
  return oneServiceAMessage([...shortest]).flatMap(([id, { scenario, seed }]) =>
    kindsOf(id).map((kind) => ({
      scenario,
      seed,
      instances: instancesFor(kind, 1 + (turn++ % 2)),
      target: { id, nth: 1, kind },
    })),
  );
}

/** Who misses a message changes from message to message, so that every service misses some. */
function oneServiceAMessage<Item>(points: readonly (readonly [string, Item])[]): readonly (readonly [string, Item])[] {
  const byType = new Map<string, (readonly [string, Item])[]>();
  for (const point of points) {
    const [id] = point;
    const key = isMessage(id) ? (id.split(' ')[2] ?? '') : id;
    byType.set(key, [...(byType.get(key) ?? []), point]);
  }
  return [...byType.values()].flatMap((group, index) => {
    const chosen = group[index % group.length];
    return chosen ? [chosen] : [];
  });
}

/** Every point that a probe passes, each of its first `occurrences`, with every kind. */
export const fullMatrix = (probes: readonly Probe[], occurrences: number): readonly Cell[] =>
  probes.flatMap(({ scenario, seed, instances, outcome }) =>
    [...outcome.strike.visits].flatMap(([id, count]) =>
      kindsOf(id)
        .filter((kind) => instancesFor(kind, instances) === instances)
        .flatMap((kind) =>
          Array.from({ length: Math.min(count, occurrences) }, (_, index) => ({
            scenario,
            seed,
            instances,
            target: { id, nth: index + 1, kind },
          })),
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
