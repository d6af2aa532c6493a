import { table } from './schema-table.mjs';

/** @typedef {import('./load.mjs').Metric} Metric */

/** @param {import('./load.mjs').Sources} sources */
export function metricsPage({ commonMetrics, fleetMetrics, services }) {
  const own = services.filter(({ metrics }) => metrics.length > 0);
  const parts = [
    '# Metrics',
    '`GET /metrics` of every service, Prometheus text; each series has the label `service`. Counters and histograms exist from the start, at zero, for every value of a label that is known beforehand. A gauge whose value is not known is left out, never shown as zero. Scraping, dashboards and alert rules: [observe](../how-to/observe.md).',
    `## Every service\n\n${metricsTable(commonMetrics)}\n\nBeside them the process itself, as prom-client tells it: \`process_*\` and \`nodejs_*\`.`,
    ...own.map(({ name, metrics }) => `## ${name}\n\n${metricsTable(metrics)}`),
    `## Replicas\n\n\`GET /metrics/fleet\` of runtime-prober: the replicas that this instance probes, at most 5 000 of them. A number that is not known, or is older than half a minute, is left out. Of several instances, the newest probe of a replica counts.\n\n${metricsTable(fleetMetrics)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** @param {readonly Metric[]} metrics */
const metricsTable = (metrics) =>
  table(
    ['metric', 'type', 'labels', 'meaning'],
    metrics.map(({ name, type, labels, help }) => [`\`${name}\``, type, labelsText(labels), help]),
  );

/** @param {Metric['labels']} labels */
const labelsText = (labels) =>
  Object.entries(labels)
    .map(([label, values]) =>
      values === 'open' ? `\`${label}\`` : `\`${label}\`: ${values.map((value) => `\`${value}\``).join(', ')}`,
    )
    .join('; ');
