import { readFileSync, readdirSync } from 'node:fs';

export type Body = {
  readonly name: string;
  readonly bytes: Buffer;
};

const FOLDER = new URL('../../../fixtures/engine-metrics/', import.meta.url);

/** What servers were seen to write. */
export const fixtures = (): readonly Body[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.prom'))
    .map((name) => ({ name, bytes: readFileSync(new URL(name, FOLDER)) }));

/** A server of so many data-parallel engines, each with all series that one writes. */
export function manyEngines(engines: number): Body {
  const one = readFileSync(new URL('v1-newest-dp2.prom', FOLDER), 'utf8');
  const bodies = Array.from({ length: engines / 2 }, (_, pair) => one.replaceAll('engine="', `engine="${pair}-`));
  return { name: `${engines} data-parallel engines`, bytes: Buffer.from(bodies.join('')) };
}

/** One family with so many series, each new. */
export function manySeries(series: number): Body {
  const line = (engine: number): string =>
    `vllm:request_success_total{engine="${engine}",finished_reason="stop",model_name="m"} 1\n`;
  return {
    name: `${series} series of one family`,
    bytes: Buffer.from(Array.from({ length: series }, (_, engine) => line(engine)).join('')),
  };
}

/** A setting of so many bytes written out in one label, as has been seen (vllm issue 44691). */
export function longLabel(bytes: number): Body {
  const line = `vllm:cache_config_info{engine="0",x="${'a'.repeat(bytes)}"} 1.0\n`;
  return {
    name: `one label of ${bytes} bytes`,
    bytes: Buffer.from(`${line}vllm:num_requests_running{engine="0"} 6\n`),
  };
}

/** A server of a kind that nobody has seen before: other names of model and labels each time. */
export const strange = (turn: number): Body => {
  const one = readFileSync(new URL('v1-newest-dp2.prom', FOLDER), 'utf8');
  return {
    name: 'a server met for the first time',
    bytes: Buffer.from(one.replaceAll('meta-llama', `never-seen-${turn}`)),
  };
};
