import type { Random } from '@davit/ports';
import { pick } from '../outside-faults.js';
import type { Manifest, SpendCeilings } from '../simulation.js';

/** One deployment that a run knows of; some share a tenant and with it a budget. */
export interface Named {
  readonly name: string;
  readonly tenant: string;
}

export const DEPLOYMENTS: readonly Named[] = [
  { name: 'ladder', tenant: 'default' },
  { name: 'best', tenant: 'default' },
  { name: 'frugal', tenant: 'acme' },
];
export const TENANTS: readonly string[] = [...new Set(DEPLOYMENTS.map(({ tenant }) => tenant))];

export const keyOf = ({ tenant, name }: Named): string => `${tenant}/${name}`;

interface Place {
  readonly cloud: string;
  readonly accelerator: string;
  readonly region?: string;
  readonly spot?: boolean;
}

/** What may be asked for; several clouds, places and markets of few cards, so that deployments get into each other's way. */
const PLACES: readonly Place[] = [
  { cloud: 'runpod', accelerator: 'L40S:1' },
  { cloud: 'runpod', accelerator: 'L40S:1', region: 'US' },
  { cloud: 'runpod', accelerator: 'A40:1', region: 'CA' },
  { cloud: 'runpod', accelerator: 'A40:2' },
  { cloud: 'runpod', accelerator: 'A100-80GB:1', spot: true },
  { cloud: 'runpod', accelerator: 'A100-80GB:1' },
  { cloud: 'vast', accelerator: 'L40S:1' },
  { cloud: 'vast', accelerator: 'RTX4090:2' },
];
/** Cards of {@link PLACES} by cloud, whose stock and prices move. */
export const CARDS: readonly { readonly cloud: string; readonly gpu: string }[] = [
  ...['L40S', 'A40', 'A100-80GB'].map((gpu) => ({ cloud: 'runpod', gpu })),
  ...['L40S', 'RTX4090'].map((gpu) => ({ cloud: 'vast', gpu })),
];
const MOST_PLACES = 4;
const MOST_REPLICAS = 3;

/** USD an hour for a machine, or for all: some pay for everything, some for one card and not the next, some for nothing. */
const CEILINGS = ['0.35', '0.90', '1.40', '2.50'] as const;
const BUDGETS = ['0.70', '1.60', '2.60', '4.00'] as const;
/** What is spent in the time of a run. */
const TOTALS = ['0.30', '1.00', '20.00'] as const;

export function randomCeilings(random: Random): SpendCeilings {
  const kind = pick(random, ['hourly', 'hourly', 'both', 'total'] as const);
  return {
    ...(kind === 'total' ? {} : { maxHourly: pick(random, BUDGETS) }),
    ...(kind === 'hourly' ? {} : { maxTotal: pick(random, TOTALS) }),
    onExceed: pick(random, ['refuse', 'drain']),
  };
}

/** Any wish that the specification allows. */
export function randomWish(random: Random, named: Named): Manifest {
  const budget = random.next() < 0.6 ? randomCeilings(random) : undefined;
  const capped = random.next() < 0.4;
  const placements = somePlaces(random).map((place) => ({
    ...place,
    ...(capped && random.next() < 0.7 ? { maxHourlyPrice: pick(random, CEILINGS) } : {}),
  }));
  return manifest(named, {
    placements,
    selection: pick(random, ['ladder', 'best']),
    objective: pick(random, ['cost', 'readiness', 'reliability']),
    spread: pick(random, ['none', 'none', 'cloud', 'region']),
    replicas: Math.ceil(random.next() * MOST_REPLICAS),
    strategy: pick(random, ['surge', 'in-place']),
    ...(budget ? { budget } : {}),
  });
}

/** A wish that nothing but stock stands in the way of: every place, and no ceiling. */
export const freeWish = (named: Named, replicas: number): Manifest =>
  manifest(named, {
    placements: PLACES,
    selection: 'best',
    objective: 'cost',
    spread: 'none',
    replicas,
    strategy: 'surge',
  });

interface Wish {
  readonly placements: readonly object[];
  readonly selection: string;
  readonly objective: string;
  readonly spread: string;
  readonly replicas: number;
  readonly strategy: string;
  readonly budget?: SpendCeilings;
}

function manifest({ name, tenant }: Named, { replicas, strategy, budget, ...compute }: Wish): Manifest {
  return {
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name, tenant },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: name },
      runtime: { engine: 'vllm', version: '0.27.1' },
      compute: { mode: 'elastic', ...compute },
      scaling: { replicas },
      readiness: { startDeadline: '10m' },
      rollout: { strategy, drainDeadline: '20s' },
      ...(budget ? { budget } : {}),
    },
  };
}

function somePlaces(random: Random): readonly Place[] {
  const left = [...PLACES];
  const count = 1 + Math.floor(random.next() * MOST_PLACES);
  return Array.from({ length: count }, () => {
    const place = pick(random, left);
    left.splice(left.indexOf(place), 1);
    return place;
  });
}
