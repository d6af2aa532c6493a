import { isObject } from '../http/wire.js';

/** Load that a server believes it has, besides the requests that really come. */
export interface Traffic {
  /** Requests in the batch, over all engines. */
  readonly running: number;
  /** Requests that wait for capacity. */
  readonly waiting: number;
  /** Requests that wait for another reason; only the newest vLLM tells them apart. */
  readonly deferred: number;
  /** Share of the cache in use, 0 to 1; follows the running requests when absent. */
  readonly kvUsage?: number;
  /** Generated, over all engines. Zero: nothing moves. */
  readonly tokensPerSecond: number;
  /** Shape of each request that the tokens belong to. */
  readonly promptTokens: number;
  readonly tokensPerRequest: number;
}

export const NO_TRAFFIC: Traffic = {
  running: 0,
  waiting: 0,
  deferred: 0,
  tokensPerSecond: 0,
  promptTokens: 100,
  tokensPerRequest: 100,
};

/** Reads a load; the text says which field is wrong. What is not given is as with no load. */
export function trafficFrom(value: unknown): Traffic | string {
  if (!isObject(value)) return 'a load must be an object';
  for (const [name, given] of Object.entries(value)) {
    if (name !== 'kvUsage' && !Object.hasOwn(NO_TRAFFIC, name))
      return `unknown field ${name}; known are ${Object.keys(NO_TRAFFIC).join(', ')}, kvUsage`;
    if (typeof given !== 'number' || !(given >= 0)) return `${name} must be a number of at least 0`;
    if (name !== 'kvUsage' && name !== 'tokensPerSecond' && !Number.isInteger(given))
      return `${name} must be a whole number`;
    if (name === 'kvUsage' && given > 1) return 'kvUsage must be at most 1';
    if (name === 'tokensPerRequest' && given < 1) return 'tokensPerRequest must be at least 1';
  }
  return { ...NO_TRAFFIC, ...value };
}

/** The part of a load that falls to one of several engines; parts add up to the whole. */
export function shareOf(traffic: Traffic, engine: number, engines: number): Traffic {
  const part = (whole: number): number => Math.floor((whole + engines - 1 - engine) / engines);
  return {
    ...traffic,
    running: part(traffic.running),
    waiting: part(traffic.waiting),
    deferred: part(traffic.deferred),
    tokensPerSecond: traffic.tokensPerSecond / engines,
  };
}
