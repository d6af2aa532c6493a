import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricDefinition, type Sample, knownSeries } from './definition.js';

/** Metrics that are exposed together. Every series that is known exists from the start. */
export class MetricSet {
  readonly registry = new Registry();

  /** Counts what happens here; zero from the start for every known label value. */
  counter<Label extends string>(definition: MetricDefinition<Label>): Counter<Label> {
    const { name, help } = definition;
    const counter = new Counter({ name, help, labelNames: labelNamesOf(definition), registers: [this.registry] });
    for (const labels of knownSeries(definition)) counter.inc(labels, 0);
    return counter;
  }

  /** Shows what is counted elsewhere, read when it is asked for. */
  counted(definition: MetricDefinition, read: () => readonly Sample[]): void {
    const { name, help } = definition;
    new Counter({
      name,
      help,
      labelNames: labelNamesOf(definition),
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { labels, value } of read()) this.inc(labels, value);
      },
    });
  }

  /** Observes durations and sizes; empty from the start for every known label value. */
  histogram<Label extends string>(definition: MetricDefinition<Label>): Histogram<Label> {
    const { name, help, buckets = [] } = definition;
    const labelNames = labelNamesOf(definition);
    const registers = [this.registry];
    const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers });
    for (const labels of knownSeries(definition)) histogram.zero(labels);
    return histogram;
  }

  /** A gauge that is read when it is asked for. What `read` leaves out is not known, and then not shown (law 4). */
  gauge(definition: MetricDefinition, read: () => readonly Sample[] | Promise<readonly Sample[]>): void {
    const { name, help } = definition;
    const labelNames = labelNamesOf(definition);
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const samples = await read();
        this.reset();
        // A gauge without labels is zero by itself after a reset, which nothing said.
        if (samples.length === 0 && labelNames.length === 0) this.remove();
        for (const { labels, value } of samples) this.set(labels, value);
      },
    });
  }
}

// The keys of a record of labels are its labels.
const labelNamesOf = <Label extends string>({ labels }: MetricDefinition<Label>): Label[] =>
  Object.keys(labels) as Label[];
