import { CLOUD_WORDS, type CatalogueRow } from './catalogue.js';
import { type SkyContext } from './context.js';
import { UsageError, yellow } from './text.js';

/** A row of `sky gpus list -o json`: the fields of SkyPilot's record of an instance type. */
const record = (row: CatalogueRow): object => ({
  cloud: CLOUD_WORDS[row.cloud],
  instance_type: row.instanceType,
  accelerator_name: row.accelerator,
  accelerator_count: row.count,
  cpu_count: row.vcpus,
  device_memory: row.gpuMib / 1024,
  memory: row.memoryGib,
  price: row.price,
  spot_price: row.spotPrice,
  region: row.region,
});

/** `sky gpus list [GPU[:N]]`: the catalogue, which says nothing of stock. Unless told otherwise each type stands once, at its lowest price. */
export function gpusList({ args, out, catalogue }: SkyContext): void {
  const wanted = wantedOf(args.positional[0]);
  const [cloudName] = args.get('--infra')?.split('/') ?? [];
  const rows = (['runpod', 'vast'] as const)
    .filter((cloud) => cloudName === undefined || cloudName.toLowerCase() === cloud)
    .flatMap((cloud) => catalogue.of(cloud))
    .filter(({ accelerator, count }) => matches(wanted, accelerator, count));
  const shown = args.has('--all-regions') ? rows : lowestOfEach(rows);
  const byName = new Map<string, CatalogueRow[]>();
  for (const row of shown) byName.set(row.accelerator, [...(byName.get(row.accelerator) ?? []), row]);
  if (args.jsonOutput) {
    out.json(Object.fromEntries([...byName].map(([name, found]) => [name, found.map(record)])));
    return;
  }
  if (byName.size === 0 && wanted) {
    const quantity = wanted.count === null ? '' : ` with requested quantity ${wanted.count}`;
    out.line(`Resources '${wanted.name}'${quantity} not found in cloud catalogs. `);
    out.line('To show available accelerators, run: sky gpus list --all');
    return;
  }
  for (const [, found] of byName) table(out, found);
}

/** The older name, which has no JSON. */
export function showGpus(context: SkyContext): void {
  context.out.error(yellow('WARNING: `sky show-gpus` is deprecated and will be removed. Use `sky gpus list` instead.'));
  gpusList(context);
}

type Wanted = { readonly name: string; readonly count: number | null };

function wantedOf(text: string | undefined): Wanted | null {
  if (text === undefined) return null;
  const [name = '', count, ...more] = text.split(':');
  if (more.length > 0)
    throw new UsageError(`Invalid accelerator string ${text}. Expected format: <accelerator_name>[:<quantity>].`);
  if (count !== undefined && !/^[1-9]\d*$/.test(count))
    throw new UsageError(`Invalid accelerator quantity ${count}. Expected a positive integer.`);
  return { name, count: count === undefined ? null : Number(count) };
}

const matches = (wanted: Wanted | null, accelerator: string, count: number): boolean =>
  wanted === null ||
  (accelerator.toLowerCase().includes(wanted.name.toLowerCase()) && (wanted.count ?? count) === count);

function lowestOfEach(rows: readonly CatalogueRow[]): readonly CatalogueRow[] {
  const lowest = new Map<string, CatalogueRow>();
  for (const row of rows) {
    const key = `${row.cloud} ${row.instanceType}`;
    const known = lowest.get(key);
    if (!known || row.price < known.price) lowest.set(key, row);
  }
  return [...lowest.values()];
}

function table(out: SkyContext['out'], rows: readonly CatalogueRow[]): void {
  out.line('GPU  QTY  CLOUD  INSTANCE_TYPE  DEVICE_MEM  vCPUs  HOST_MEM  HOURLY_PRICE  HOURLY_SPOT_PRICE  REGION');
  for (const row of rows) {
    const spot = row.spotPrice === null ? '-' : `$ ${row.spotPrice.toFixed(3)}`;
    const cells = [
      row.accelerator,
      row.count,
      CLOUD_WORDS[row.cloud],
      row.instanceType,
      `${row.gpuMib / 1024}GB`,
      row.vcpus,
      `${row.memoryGib}GB`,
      `$ ${row.price.toFixed(3)}`,
      spot,
      row.region,
    ];
    out.line(cells.join('  '));
  }
}
