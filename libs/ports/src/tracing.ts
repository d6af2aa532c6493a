export type TraceAttributes = Readonly<Record<string, string | number | boolean>>;

/** One piece of work of a service: a request that it answers, or a pass over a key. */
export interface TraceUnit {
  /** Of few values: a route, a controller; never a key. */
  readonly name: string;
  readonly kind: 'server' | 'internal';
  /** W3C `traceparent`s of what caused it: the last one is its parent, the others are linked. */
  readonly causes: readonly string[];
  /** True: told in any case. False: told once it writes, with everything it did before. */
  readonly always: boolean;
  readonly attributes: TraceAttributes;
}

export interface OpenTraceUnit {
  /** Runs `work` so that its effects, and what it writes, belong to this unit. */
  run<Result>(work: () => Result): Result;
  end(attributes: TraceAttributes, failed: boolean): void;
}

/** What an effect came to. */
export interface EffectEnd {
  readonly attributes: TraceAttributes;
  readonly failed: boolean;
}

/** Tells where time went, across services. Nothing depends on it, and nothing is decided by it. */
export interface Tracing {
  open(unit: TraceUnit): OpenTraceUnit;
  /** A call of the outside, as part of the unit that it is made in; outside of any it is not told. */
  effect<Result>(
    name: string,
    attributes: TraceAttributes,
    work: () => Promise<Result>,
    endOf: (result: Result) => EffectEnd,
  ): Promise<Result>;
  /** The `traceparent` of the unit that is running, for what it writes; undefined outside of any. */
  current(): string | undefined;
}

const SILENT: OpenTraceUnit = { run: (work) => work(), end: () => undefined };

/** Tells nothing, and costs nothing. */
export const noTracing: Tracing = {
  open: () => SILENT,
  effect: (_name, _attributes, work) => work(),
  current: () => undefined,
};
