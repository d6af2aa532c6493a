import { AsyncLocalStorage } from 'node:async_hooks';
import type * as otel from '@opentelemetry/api';
import type { Context, Link, Span, SpanContext, Tracer } from '@opentelemetry/api';
import type { EffectEnd, OpenTraceUnit, TraceAttributes, TraceUnit, Tracing } from '@davit/ports';

type Api = typeof otel;

interface Effect extends EffectEnd {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Effects kept of a unit that may yet write; of more, the first tell enough. */
const MOST_EFFECTS = 64;

/**
 * Spans of OpenTelemetry. A unit that is told only once it writes keeps its effects until then, so that a pass that does
 * nothing, as most do, makes no span.
 */
export function otelTracing(api: Api, tracer: Tracer): Tracing {
  const running = new AsyncLocalStorage<Unit>();
  return {
    open: (about) => new Unit(api, tracer, running, about),
    async effect(name, attributes, work, endOf) {
      const unit = running.getStore();
      if (!unit) return work();
      const startMs = Date.now();
      try {
        const result = await work();
        const end = endOf(result);
        const told = { ...attributes, ...end.attributes };
        unit.did({ name, startMs, endMs: Date.now(), attributes: told, failed: end.failed });
        return result;
      } catch (error) {
        unit.did({ name, startMs, endMs: Date.now(), attributes, failed: true });
        throw error;
      }
    },
    current: () => running.getStore()?.begin(),
  };
}

class Unit implements OpenTraceUnit {
  private readonly startMs = Date.now();
  private effects: Effect[] = [];
  private span: Span | undefined;

  constructor(
    private readonly api: Api,
    private readonly tracer: Tracer,
    private readonly running: AsyncLocalStorage<Unit>,
    private readonly about: TraceUnit,
  ) {
    if (about.always) this.begin();
  }

  run<Result>(work: () => Result): Result {
    return this.running.run(this, work);
  }

  /** Makes the span, if there is none yet. @returns its `traceparent` */
  begin(): string {
    this.span ??= this.started();
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  did(effect: Effect): void {
    if (this.span) this.tell(effect, this.span);
    else if (this.effects.length < MOST_EFFECTS) this.effects.push(effect);
  }

  end(attributes: TraceAttributes, failed: boolean): void {
    if (!this.span) return;
    this.span.setAttributes(attributes);
    if (failed) this.span.setStatus({ code: this.api.SpanStatusCode.ERROR });
    this.span.end();
  }

  private started(): Span {
    const { SpanKind, trace, ROOT_CONTEXT } = this.api;
    const { name, kind, attributes, causes } = this.about;
    const known = causes.flatMap((cause) => spanContextOf(cause) ?? []);
    const parent = known.at(-1);
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const links = known.slice(0, -1).map((cause): Link => ({ context: cause }));
    const spanKind = kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL;
    const options = { kind: spanKind, startTime: this.startMs, attributes, links };
    const span = this.tracer.startSpan(name, options, context);
    for (const effect of this.effects.splice(0)) this.tell(effect, span);
    return span;
  }

  private tell({ name, startMs, endMs, attributes, failed }: Effect, parent: Span): void {
    const { SpanKind, SpanStatusCode, trace, ROOT_CONTEXT } = this.api;
    const context: Context = trace.setSpan(ROOT_CONTEXT, parent);
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: startMs, attributes }, context);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
  }
}

/** Undefined for what is no `traceparent` (W3C Trace Context, section 3.2): ids of zeros, or of a version to come. */
export function spanContextOf(traceparent: string): SpanContext | undefined {
  const match = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent);
  const [, traceId = '', spanId = '', flags = ''] = match ?? [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
}
