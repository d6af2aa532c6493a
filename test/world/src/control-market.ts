import { PRICE_FIELDS, type PriceChange } from './cloud/prices.js';
import { type StockChange } from './cloud/stock.js';
import { badRequest, isObject, json, type JsonObject, type WireResponse } from './http/wire.js';
import { VAST_SWITCHES } from './vast/options.js';
import { type World } from './world.js';

/** One change, or a list of them under `name`. */
const listed = (body: JsonObject | undefined, name: string): readonly JsonObject[] => {
  const list = body?.[name];
  return Array.isArray(list) ? list.filter(isObject) : body ? [body] : [];
};

export function changeStock(world: World, body: JsonObject | undefined): WireResponse {
  const thresholds = body?.['thresholds'];
  if (isObject(thresholds)) {
    const { medium, high } = thresholds;
    if (typeof medium !== 'number' || typeof high !== 'number')
      return badRequest('thresholds must hold "medium" and "high"');
    world.stock.thresholds = { medium, high };
    return json(200, { changed: 1 });
  }
  const changes = listed(body, 'stock');
  if (changes.length === 0) return badRequest('expected {"gpu", "free", …} or {"stock": [ … ]}');
  for (const change of changes)
    if (typeof change['gpu'] !== 'string' || !world.stock.set(change as unknown as StockChange))
      return badRequest(`unknown gpu ${JSON.stringify(change['gpu'])}`);
  return json(200, { changed: changes.length });
}

export function changePrices(world: World, body: JsonObject | undefined): WireResponse {
  const changes = listed(body, 'prices');
  if (changes.length === 0)
    return badRequest(`expected {"gpu", "cloud"?, ${PRICE_FIELDS.join('?, ')}?, "billedFactor"?}`);
  for (const change of changes) {
    const wrong = PRICE_FIELDS.find((field) => !isPrice(change[field]));
    if (wrong !== undefined) return badRequest(`${wrong} must be a number of at least 0, or null`);
    const factor = change['billedFactor'];
    if (factor !== undefined && !(typeof factor === 'number' && factor >= 0))
      return badRequest('billedFactor must be a number of at least 0');
    if (typeof change['gpu'] !== 'string' || !world.prices.set(change as unknown as PriceChange))
      return badRequest(`unknown gpu ${JSON.stringify(change['gpu'])}`);
  }
  return json(200, { changed: changes.length });
}

const isPrice = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'number' && value >= 0);

/** `PUT /catalogue {"drift"}` bends the prices of the refreshes to come; `POST /catalogue/refresh` takes what is true now. */
export function changeCatalogue(world: World, action: string | undefined, body: JsonObject | undefined): WireResponse {
  if (action === 'refresh') world.catalogue.refresh();
  else if (typeof body?.['drift'] === 'number' && body['drift'] > 0) world.catalogue.drift = body['drift'];
  else return badRequest('expected {"drift"}, a number above 0, or …/refresh');
  return json(200, { version: world.catalogue.version });
}

type Check = (value: unknown) => boolean;
const among =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const amount: Check = (value) => typeof value === 'number' && value >= 0;

const RUNPOD_SWITCHES: Readonly<Record<string, Check>> = {
  perMinute: amount,
  perHour: amount,
  perDay: amount,
  limitGraphql: among(true, false),
  lowestPriceOfNone: among('fields', 'null'),
  noStockStatus: among('null', 'None', ''),
  listsUnknownType: among(true, false),
};

export const turnRunPodSwitches = (world: World, body: JsonObject | undefined): WireResponse =>
  turn(world.runpodOptions, RUNPOD_SWITCHES, body);
export const turnVastSwitches = (world: World, body: JsonObject | undefined): WireResponse =>
  turn(world.vast.options, VAST_SWITCHES, body);

function turn(options: object, switches: Readonly<Record<string, Check>>, body: JsonObject | undefined): WireResponse {
  const changes = Object.entries(body ?? {});
  const wrong = changes.find(([name, value]) => switches[name]?.(value) !== true);
  if (wrong)
    return badRequest(
      `${wrong[0]} cannot be ${JSON.stringify(wrong[1])}; switches: ${Object.keys(switches).join(', ')}`,
    );
  Object.assign(options, Object.fromEntries(changes));
  return json(200, { changed: changes.length });
}
