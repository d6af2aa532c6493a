import { type Call, type Point, shortType } from '@davit/stage';
import { WORLD_HOSTS } from '@davit/world';
import { skyCallOf } from './sky-calls.js';

const PROVIDERS = new Set(Object.values(WORLD_HOSTS).map((url) => new URL(url).host));

export const stepOf = {
  append: (type: string): string => `append ${shortType(type)}`,
  command: (verb: string): string => `command sky ${verb}`,
  http: (method: string, place: string): string => `http ${method} ${place}`,
} as const;

export function pointOf(service: string, call: Call): Point {
  switch (call.port) {
    case 'append': {
      const types = [...new Set(call.types)].toSorted();
      return { id: `append ${service} ${types.map(shortType).join('+')}`, steps: types.map(stepOf.append) };
    }
    case 'command':
      return single(service, stepOf.command(skyCallOf(call.request.args)));
    case 'http':
      return single(service, stepOf.http(call.request.method, placeOf(call.request.url)));
  }
}

function single(service: string, step: string): Point {
  const [port = '', ...rest] = step.split(' ');
  return { id: [port, service, ...rest].join(' '), steps: [step] };
}

/** Providers by name; every other host is a model server. Ids in paths are one place. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  const path = pathname.replace(/[^/]*\d[^/]*/g, (part) => (/^v\d+$/.test(part) ? part : '*'));
  return `${PROVIDERS.has(host) ? host : 'model-server'}${path}`;
}
