import { nearNames } from '../spec/nearest.js';
import type { Accelerator, RunpodNames } from './accelerator.js';
import { ACCELERATORS } from './table.js';

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

const RUNPOD_LAUNCH = ACCELERATORS.flatMap(({ runpod }) => runpod?.launchName ?? []);
const VAST_LAUNCH = unique(ACCELERATORS.flatMap(({ vast }) => vast.map(({ skypilotName }) => skypilotName)));

const LAUNCHED_BY_CLOUD: Readonly<Record<string, readonly string[]>> = { runpod: RUNPOD_LAUNCH, vast: VAST_LAUNCH };
const ANY_CLOUD = unique([
  ...RUNPOD_LAUNCH,
  ...VAST_LAUNCH,
  ...ACCELERATORS.filter(({ runpod }) => runpod === null).map(({ name }) => name),
]);

/** Names that may be asked for on `cloud`; a cloud without names of its own accepts every name known anywhere. */
export const acceleratorNames = (cloud: string): readonly string[] =>
  (Object.hasOwn(LAUNCHED_BY_CLOUD, cloud) ? LAUNCHED_BY_CLOUD[cloud] : undefined) ?? ANY_CLOUD;

/** Up to three names known for `cloud` that most likely mean `name`: what the same card is called there, then look-alikes. */
export function nearAccelerators(cloud: string, name: string): readonly string[] {
  const known = acceleratorNames(cloud);
  const sameCard = ACCELERATORS.filter((card) => namesOf(card).includes(name)).flatMap(namesOf);
  return unique([...sameCard.filter((other) => known.includes(other)), ...nearNames(name, known)]).slice(0, 3);
}

const namesOf = ({ name, runpod, vast }: Accelerator): readonly string[] => [
  name,
  ...(runpod ? [runpod.catalogueName] : []),
  ...vast.map(({ skypilotName }) => skypilotName),
];

/** For an accelerator that `cloud` is not known to rent: says so, with names near to it. */
export function unknownAccelerator(cloud: string, name: string): string {
  const near = nearAccelerators(cloud, name);
  const hint = near.length > 0 ? `; near names known for ${cloud}: ${near.join(', ')}` : '';
  return `${cloud} is not known to rent "${name.slice(0, 60)}"${hint}`;
}

const BY_LAUNCH_NAME: ReadonlyMap<string, Accelerator> = new Map(
  ACCELERATORS.flatMap((card) => (card.runpod?.launchName ? [[card.runpod.launchName, card] as const] : [])),
);

/** A card with its names at RunPod. */
export type RunpodGpu = Accelerator & { readonly runpod: RunpodNames };

/** The type that SkyPilot rents for an accelerator name at RunPod; undefined for a name it cannot launch there. */
export function runpodGpuOf(accelerator: string): RunpodGpu | undefined {
  const card = BY_LAUNCH_NAME.get(accelerator);
  return card?.runpod ? { ...card, runpod: card.runpod } : undefined;
}

/** Lists in the wild write some ids with two blanks (runpod/docs issue 633): compared after collapsing them. */
export const sameGpuId = (a: string, b: string): boolean => collapsed(a) === collapsed(b);
const collapsed = (id: string): string => id.replace(/\s+/g, ' ').trim();

/** The card that RunPod means by an id or a display name; undefined for slices of cards and for types of no known name. */
export const acceleratorOfRunpod = (idOrDisplayName: string): Accelerator | undefined =>
  ACCELERATORS.find(({ runpod }) => runpod !== null && sameGpuId(runpod.id, idOrDisplayName)) ??
  ACCELERATORS.find(({ runpod }) => runpod?.displayName === collapsed(idOrDisplayName));

/** What a search of Vast's offers has to name for an accelerator. */
export type VastGpu = {
  /** As offers write them, in the table's order. Any of them satisfies. */
  readonly gpuNames: readonly string[];
  /** What one card has at least. Vast writes one name for cards of different memory. */
  readonly memoryGiB: number;
};

/**
 * What SkyPilot may rent for an accelerator name at Vast: every card it knows by that name. A name that only the table
 * knows ("H100-SXM") means that card alone. Undefined for a name that Vast does not list.
 */
export function vastGpuOf(accelerator: string): VastGpu | undefined {
  const launched = VAST_ENTRIES.filter(({ skypilotName }) => skypilotName === accelerator);
  const entries = launched.length > 0 ? launched : VAST_ENTRIES.filter(({ card }) => card.name === accelerator);
  if (entries.length === 0) return undefined;
  const cards = [...entries.map(({ card }) => card), ...ACCELERATORS.filter(({ name }) => name === accelerator)];
  return {
    gpuNames: unique(entries.map(({ gpuName }) => gpuName)),
    memoryGiB: Math.min(...cards.map(({ memoryGiB }) => memoryGiB)),
  };
}

const VAST_ENTRIES = ACCELERATORS.flatMap((card) => card.vast.map((names) => ({ ...names, card })));

/** The card of an offer of Vast: of those that share its name, the largest that its memory allows. */
export function acceleratorOfVast(gpuName: string, gpuRamMb?: number): Accelerator | undefined {
  const wanted = collapsed(gpuName.replaceAll('_', ' '));
  const cards = ACCELERATORS.filter(({ vast }) => vast.some((names) => names.gpuName === wanted));
  const [smallest, ...larger] = cards.toSorted((a, b) => a.memoryGiB - b.memoryGiB);
  if (gpuRamMb === undefined) return smallest;
  return larger.toReversed().find(({ memoryGiB }) => fitsMemory(memoryGiB, gpuRamMb)) ?? smallest;
}

/** Cards report a little less memory than they are sold with: 46 068 MB of 48 GiB, 23 034 MB of 24 GiB. */
const MEMORY_TOLERANCE_PERCENT = 90;

/** Least megabytes of one card that count as `memoryGiB`. */
export const leastMemoryMb = (memoryGiB: number): number =>
  Math.floor((memoryGiB * 1_024 * MEMORY_TOLERANCE_PERCENT) / 100);

const fitsMemory = (memoryGiB: number, reportedMb: number): boolean => reportedMb >= leastMemoryMb(memoryGiB);

/** The accelerator name that SkyPilot launches on `cloud` what its catalogue file there lists under `catalogueName`. */
export function launchNameOf(cloud: string, catalogueName: string): string | undefined {
  if (cloud !== 'runpod') return acceleratorNames(cloud).includes(catalogueName) ? catalogueName : undefined;
  const card = BY_CATALOGUE_NAME.get(catalogueName);
  return card ? (card.runpod?.launchName ?? undefined) : BY_LAUNCH_NAME.get(catalogueName)?.name;
}

const BY_CATALOGUE_NAME: ReadonlyMap<string, Accelerator> = new Map(
  ACCELERATORS.flatMap((card) => (card.runpod ? [[card.runpod.catalogueName, card] as const] : [])),
);
