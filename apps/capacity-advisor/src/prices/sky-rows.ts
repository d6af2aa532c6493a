import { decimalText } from '../decimal-json.js';
import type { CatalogueRow } from './catalogue.js';

/** A catalogue that cannot be read as one, with what a person can do. */
export class CatalogueError extends Error {
  readonly code = 'invalid-catalogue';
}

/**
 * Columns by name, since their order and number differ between clouds and versions (SkyPilot's `sky/catalog`, read September
 * 2026). GpuInfo is left alone: it is Python's text for a dictionary, and old rows have gigabytes where mebibytes belong.
 */
const NEEDED = ['InstanceType', 'AcceleratorName', 'AcceleratorCount', 'Region', 'Price'] as const;
type Column = (typeof NEEDED)[number] | 'SpotPrice' | 'AvailabilityZone' | 'HostingType';

export type RowReading = (cells: readonly string[]) => CatalogueRow | undefined;

/**
 * How the rows below this header are read. A row without a whole number of accelerators, or with other cells than the header
 * names, reads as undefined: it can price no placement.
 * @throws CatalogueError where a needed column is missing
 */
export function rowReading(header: readonly string[]): RowReading {
  const names = header.map((name) => name.replace('\uFEFF', '').trim());
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new CatalogueError(
      `it has no column ${missing.join(', ')}; its header is "${names.join(',').slice(0, 200)}"`,
    );
  const index = new Map(names.map((name, at) => [name, at]));
  return (cells) => {
    if (cells.length !== names.length) return undefined;
    const cell = (column: Column): string => cells[index.get(column) ?? -1]?.trim() ?? '';
    const count = wholeCount(cell('AcceleratorCount'));
    if (cell('AcceleratorName') === '' || count === undefined) return undefined;
    return {
      instanceType: cell('InstanceType'),
      accelerator: { name: cell('AcceleratorName'), count },
      region: cell('Region'),
      zone: cell('AvailabilityZone') || null,
      onDemand: listPrice(cell('Price')),
      spot: listPrice(cell('SpotPrice')),
      hostingType: cell('HostingType') || null,
    };
  };
}

/** `8`, `8.0`; parts of a GPU, as some clouds rent them, are no placement of ours. */
function wholeCount(text: string): number | undefined {
  const whole = /^(\d{1,4})(?:\.0+)?$/.exec(text)?.[1];
  const count = whole === undefined ? 0 : Number(whole);
  return count > 0 ? count : undefined;
}

/** Empty, `nan`, negative and zero all mean that there is no price: a missing one is never zero. */
function listPrice(text: string): string | null {
  const amount = decimalText(text);
  return amount !== null && /[1-9]/.test(amount) ? amount : null;
}
