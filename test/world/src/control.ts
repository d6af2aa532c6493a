import { badRequest, isObject, json, objectBody, text, type WireHandler, type WireResponse } from './http/wire.js';
import { changeCatalogue, changePrices, changeStock, turnRunPodSwitches } from './control-market.js';
import { type FaultEffect, type FaultRule, type FaultService } from './faults.js';
import { describe, onMachine } from './control-machines.js';
import { onVast } from './control-vast.js';
import { type SkyCaller } from './sky/context.js';
import { type World } from './world.js';

const SERVICES: readonly FaultService[] = ['sky', 'runpod', 'vast-console', 'vast-run', 'vast-openai', 'vast-worker'];

/** The control interface of a running world: its ground truth, and the levers on it. */
export const controlHandler =
  (world: World): WireHandler =>
  async ({ method, url, body }) => {
    const [, area = '', id, action] = url.pathname.split('/').map(decodeURIComponent);
    switch (`${method} /${area}`) {
      case 'GET /livez':
        return text(200, 'ok');
      case 'GET /ledger':
        return json(200, world.ledger.report());
      case 'GET /machines':
        return json(200, { machines: world.cloud.all().map(describe) });
      case 'GET /keys':
        return json(200, { hosts: world.keysSeen.all() });
      case 'GET /calls':
        return json(200, { calls: world.calls.all() });
      case 'GET /stock':
        return json(200, { stock: world.stock.cells() });
      case 'PUT /stock':
        return changeStock(world, objectBody(body));
      case 'PUT /prices':
        return changePrices(world, objectBody(body));
      case 'PUT /runpod':
        return turnRunPodSwitches(world, objectBody(body));
      case 'GET /catalogue':
        return json(200, { version: world.catalogue.version, files: world.catalogue.files() });
      case 'PUT /catalogue':
      case 'POST /catalogue':
        return changeCatalogue(world, id, objectBody(body));
      case 'GET /faults':
        return json(200, { faults: world.faults.list() });
      case 'POST /faults':
        return addFault(world, body);
      case 'DELETE /faults':
        world.faults.clear();
        return json(200, {});
      case 'POST /machines':
        return onMachine(world, id ?? '', action ?? '', objectBody(body));
      case 'POST /clusters':
        return onCluster(world, id ?? '', action ?? '');
      case 'GET /vast':
      case 'PUT /vast':
      case 'POST /vast':
      case 'DELETE /vast':
        return onVast(world, `${method} ${[id, action].filter((part) => part !== undefined).join('/')}`, body);
      case 'POST /sky': {
        const caller = objectBody(body);
        // Only this world's own client sends this, in this shape.
        return caller
          ? json(200, await world.runSealedSky(caller as unknown as SkyCaller))
          : badRequest('not a caller');
      }
      default:
        return json(404, { error: `no route ${method} ${url.pathname}` });
    }
  };

function addFault(world: World, body: string): WireResponse {
  const rule = objectBody(body);
  const effect = rule?.['effect'];
  if (!rule || !isFaultEffect(effect))
    return badRequest('expected {"service", "verb"?, "name"?, "nth"?, "count"?, "effect": {"kind"}}');
  const service = SERVICES.find((known) => known === rule['service']);
  if (!service) return badRequest(`service must be one of ${SERVICES.join(', ')}`);
  const armed: FaultRule = { ...rule, service, effect };
  return json(200, { id: world.faults.add(armed) });
}

/** A record, so that the compiler misses none. */
const EFFECT_KINDS: Readonly<Record<FaultEffect['kind'], true>> = {
  latency: true,
  'lost-reply': true,
  'lost-request': true,
  hang: true,
  refusal: true,
  status: true,
  'status-after': true,
  'graphql-errors': true,
  malformed: true,
  'late-visibility': true,
  'launch-fails': true,
  'row-lost': true,
  'endpoint-never': true,
  'server-fault': true,
  'server-change': true,
  'duplicate-request': true,
  'down-lies': true,
  'row-removed-machine-stays': true,
  'machine-doubled': true,
  'job-log': true,
};

/** Checks the kind; the rest of an effect is the test author's care. */
const isFaultEffect = (value: unknown): value is FaultEffect =>
  isObject(value) && typeof value['kind'] === 'string' && Object.hasOwn(EFFECT_KINDS, value['kind']);

/** What happens to a row of `sky status` without anybody asking: it falls back to INIT, or is lost while its machine runs. */
function onCluster(world: World, name: string, action: string): WireResponse {
  const cluster = world.sky.clusters.get(name);
  if (!cluster) return json(404, { error: `no cluster ${name}` });
  if (action === 'init') cluster.status = 'INIT';
  else if (action === 'lose') world.sky.clusters.delete(name);
  else return badRequest('expected …/init or …/lose');
  return json(200, {});
}
