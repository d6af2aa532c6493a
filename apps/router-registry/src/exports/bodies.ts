import { Body } from './body.js';
import { clusterDiscovery, endpointDiscovery, type EndpointSource } from './formats/envoy.js';
import { HttpSdList } from './formats/http-sd.js';
import { type FileFormat, render } from './formats/index.js';
import { liteLlmText } from './formats/litellm.js';
import type { RouteTable } from './table.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
/** Envoys of one fleet ask for the same clusters; more kinds of questions than this are rendered as they come. */
const MOST_QUESTIONS = 200;

type Made = { readonly table: RouteTable; readonly bodies: Map<string, Body> };

/** Renderings of the present table: each made once, when it is first asked for, and kept until the table is another. */
export class Bodies {
  private made: Made | undefined;
  private readonly httpSdList = new HttpSdList();

  httpSd(table: RouteTable): Body {
    return this.of(table, 'http_sd', () => new Body(this.httpSdList.pieces(table), JSON_TYPE));
  }

  liteLlm(table: RouteTable): Body {
    return this.of(table, 'litellm', () => new Body(liteLlmText(table), JSON_TYPE));
  }

  file(table: RouteTable, format: FileFormat): Body {
    return this.of(table, `file ${format}`, () => new Body(render(format, table), TEXT_TYPE));
  }

  clusters(table: RouteTable, source: EndpointSource, names: readonly string[]): Body {
    return this.of(table, `clusters ${names.join(' ')}`, () => json(clusterDiscovery(table, source, names)));
  }

  endpoints(table: RouteTable, names: readonly string[]): Body {
    return this.of(table, `endpoints ${names.join(' ')}`, () => json(endpointDiscovery(table, names)));
  }

  private of(table: RouteTable, question: string, make: () => Body): Body {
    if (this.made?.table !== table) this.made = { table, bodies: new Map() };
    const { bodies } = this.made;
    const known = bodies.get(question);
    if (known) return known;
    const body = make();
    if (bodies.size < MOST_QUESTIONS) bodies.set(question, body);
    return body;
  }
}

const json = (value: unknown): Body => new Body(JSON.stringify(value), JSON_TYPE);
