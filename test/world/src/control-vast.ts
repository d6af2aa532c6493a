import { turnVastSwitches } from './control-market.js';
import { badRequest, json, objectBody, type WireResponse } from './http/wire.js';
import { vastFaultRule } from './vast/defects.js';
import { type World } from './world.js';

/** The levers on Vast and its ground truth: what stands below `/vast` of the control interface. */
export function onVast(world: World, what: string, body: string): WireResponse {
  const { vast } = world;
  switch (what) {
    case 'GET ':
      return json(200, { switches: { ...vast.options, apiKey: undefined, salt: undefined } });
    case 'PUT ':
      return turnVastSwitches(world, objectBody(body));
    case 'GET truth':
      return json(200, vast.truth());
    case 'GET journal':
      return json(200, { calls: world.calls.all().filter(({ service }) => service.startsWith('vast-')) });
    case 'GET faults':
      return json(200, { faults: vast.defects.list() });
    case 'POST faults': {
      const rule = vastFaultRule(objectBody(body));
      return typeof rule === 'string' ? badRequest(rule) : json(200, { id: vast.defects.add(rule) });
    }
    case 'DELETE faults':
      vast.defects.clear();
      return json(200, {});
    // The whole body is looked through, whatever it is.
    case 'POST scan':
      return json(200, { found: vast.canariesIn(body) });
    default:
      return endFault(world, what);
  }
}

function endFault({ vast }: World, what: string): WireResponse {
  const id = /^DELETE faults\/(\d+)$/.exec(what)?.[1];
  if (id === undefined) return json(404, { error: `no route ${what} below /vast` });
  vast.defects.clear(Number(id));
  return json(200, {});
}
