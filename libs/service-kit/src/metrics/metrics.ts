import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const APPEND_OUTCOMES = [
  'appended',
  'duplicate',
  'idempotency-conflict',
  'already-handled',
  'wrong-version',
  'fenced',
  'fault',
] as const;

/** Metrics of one process. Every series exists from the start, so that a rate over "never happened" is zero, not absent. */
export class Metrics {
  readonly registry = new Registry();
  readonly appends: Counter<'outcome'>;
  readonly appendSeconds: Histogram;
  readonly httpRequests: Counter<'method' | 'route' | 'status'>;
  readonly httpSeconds: Histogram<'route'>;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
    const registers = [this.registry];
    this.appends = new Counter({
      name: 'davit_appends_total',
      help: 'Appends to the event log, by what they ended in',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of APPEND_OUTCOMES) this.appends.inc({ outcome }, 0);
    this.appendSeconds = new Histogram({
      name: 'davit_append_seconds',
      help: 'Time from asking for an append to its answer',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.015, 0.03, 0.1, 0.5, 2],
      registers,
    });
    this.httpRequests = new Counter({
      name: 'davit_http_requests_total',
      help: 'Requests answered, by route pattern and status class',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.httpSeconds = new Histogram({
      name: 'davit_http_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['route'],
      buckets: [0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 2, 10],
      registers,
    });
  }

  /** A gauge that is read when it is asked for. `read` may answer undefined: not known, and then not shown. */
  gauge(name: string, help: string, read: () => number | undefined): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        const value = read();
        if (value === undefined) this.reset();
        else this.set(value);
      },
    });
  }

  /** Counts something that is counted where it happens; zero from the start. */
  counter(name: string, help: string): { inc(): void } {
    return new Counter({ name, help, registers: [this.registry] });
  }

  /** As `gauge`, one series for each label value; labels must be few and known. */
  gauges(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value);
      },
    });
  }
}
