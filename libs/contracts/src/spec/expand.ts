import { acceleratorNames } from '../accelerators/lookups.js';
import type { Placement } from '../placement.js';
import type { DeploymentManifest } from './manifest.js';

export type ElasticManifest = Extract<DeploymentManifest['spec']['compute'], { mode: 'elastic' }>;
/** Places of which any will do, by what they have in common. */
export type AnyPlace = NonNullable<ElasticManifest['any']>;
type Accelerator = NonNullable<Placement['accelerator']>;

/** `L40S:2`, or `L40S` for one of them; undefined for anything else. */
export function readAccelerator(text: string): Accelerator | undefined {
  const [, name, count = '1'] = /^([A-Za-z][\w-]*)(?::([1-9]\d?))?$/.exec(text) ?? [];
  return name === undefined ? undefined : { name, count: Number(count) };
}

const MARKETS: Readonly<Record<AnyPlace['spot'], readonly boolean[]>> = {
  never: [false],
  only: [true],
  allow: [false, true],
};

/** Every combination of cloud, region and card in the order written, on demand before spot, of cards that the cloud rents. */
export function expandAny({ clouds, regions, accelerators, spot, maxHourlyPrice }: AnyPlace): readonly Placement[] {
  const cards = accelerators.flatMap((text) => readAccelerator(text) ?? []);
  return clouds.flatMap((cloud) => {
    const known = new Set(acceleratorNames(cloud));
    return (regions ?? [null]).flatMap((region) =>
      cards
        .filter(({ name }) => known.has(name))
        .flatMap((accelerator) =>
          MARKETS[spot].map((isSpot) => ({
            cloud,
            region,
            accelerator,
            spot: isSpot,
            maxHourlyPrice: maxHourlyPrice ?? null,
          })),
        ),
    );
  });
}

/** Where a deployment may run, whichever way it was written. */
export const placementsOf = ({ any, placements = [] }: ElasticManifest): readonly Placement[] =>
  any
    ? expandAny(any)
    : placements.map(({ cloud, region, accelerator, spot, maxHourlyPrice }) => ({
        cloud,
        region: region ?? null,
        accelerator: accelerator === undefined ? null : (readAccelerator(accelerator) ?? null),
        spot,
        maxHourlyPrice: maxHourlyPrice ?? null,
      }));
