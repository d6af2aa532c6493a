import { totalsOf } from '../derive/spend.js';
import type { Receipt } from '../receipt.js';
import { approvalsPart, boundsPart, loadPart, proofPart, workersPart } from './sections.js';
import { cell, lasted, rounded, sparkline, table, thinned } from './table.js';

/** What a reader who opens the receipt wants first, and then everything that it rests on. */
export function receiptMarkdown(receipt: Receipt, plots: Readonly<Record<string, string>>, lines: Sparklines): string {
  const parts = [
    `# Rollout ${receipt.rollout.id}: ${receipt.final.state}`,
    summary(receipt),
    '## Verdict',
    verdictPart(receipt),
    '## Service before and after',
    sloPart(receipt, plots, lines),
    '## What was changed',
    ...approvalsPart(receipt),
    '## Workers',
    workersPart(receipt, plots),
    '## Proof of the candidate',
    proofPart(receipt),
    '## Bounds',
    ...boundsPart(receipt),
    '## Load',
    ...loadPart(receipt, plots),
    '## Spend',
    spendPart(receipt, plots),
    '## Evidence and events',
    evidencePart(receipt),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Text in place of pictures, for those who read the file as it is. */
export type Sparklines = {
  readonly latencyP95: readonly (number | null)[];
  readonly queueP95: readonly (number | null)[];
};

export const picture = (plots: Readonly<Record<string, string>>, file: string, alt: string): string =>
  plots[file] === undefined ? '' : `![${alt}](${file})`;

const SAID: Readonly<Record<Receipt['final']['state'], string>> = {
  accepted: 'The candidate was accepted and serves.',
  rejected: 'The candidate was rejected. Production was not touched.',
  'rolled-back': 'The candidate was taken back. The old template serves again.',
  refused: 'The rollout was refused before it began. Production was not touched.',
  unfinished: 'The rollout is not over.',
};

function summary(receipt: Receipt): string {
  const { rollout, final, templates, endpoint, verdict, spend } = receipt;
  const name = (template: typeof templates.old): string | null =>
    template && `${template.templateId} · ${template.templateHash}`;
  const took = rollout.endedAt === null ? null : lasted(Date.parse(rollout.endedAt) - Date.parse(rollout.startedAt));
  const serving = { old: templates.old, candidate: templates.new, unknown: null }[final.serves];
  const rows = [
    ['why', shortened(final.reason === null ? final.detail : `${final.reason}: ${final.detail}`)],
    ['verdict', verdict === null ? 'none was reached' : verdict.verdict],
    ['deployment', `${rollout.deployment}, revision ${rollout.fromRevision} → ${rollout.revision}`],
    ['replica', rollout.replicaId],
    ['endpoint · workergroup', `${endpoint.externalKey ?? '–'} · ${endpoint.workergroupId ?? '–'}`],
    ['old template', name(templates.old)],
    ['new template', name(templates.new)],
    ['serves now', serving === null ? final.serves : `${final.serves}: ${name(serving) ?? ''}`],
    ['canary', canaryOf(receipt)],
    ['began', rollout.startedAt],
    ['ended', rollout.endedAt],
    ['took', took],
    ['spent on load', spentOn(spend)],
  ];
  return [SAID[final.state], table(['', ''], rows)].join('\n\n');
}

const MOST_OF_WHY = 200;
const shortened = (why: string): string =>
  why.length <= MOST_OF_WHY ? why : `${why.slice(0, MOST_OF_WHY).trimEnd()} … (all of it below)`;

function spentOn({ lines, totals, unknown }: Receipt['spend']): string {
  if (lines.length === 0) return 'nothing, as none was sent';
  const known = totals.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ') || 'not known';
  return unknown === 0 ? known : `${known}, and not known for ${unknown} of ${lines.length} stretches of time`;
}

function canaryOf({ endpoint, final }: Receipt): string {
  if (endpoint.canaryKey === null) return 'none';
  return `${endpoint.canaryKey}, ${final.canaryRemoved === true ? 'proven gone' : 'not proven gone'}`;
}

function verdictPart({ verdict }: Receipt): string {
  if (verdict === null) return 'No verdict was reached.';
  const said = `**${verdict.verdict}** at ${verdict.at} (event ${verdict.position}), on ${verdict.samples.baseline} requests of the baseline and ${verdict.samples.candidate} of the candidate. However often one looks, a worse candidate is accepted with a probability of at most ${verdict.alpha}, and a good one rejected for its figures of at most ${verdict.beta}.`;
  const reasons = verdict.reasons.map(({ rule, outcome, detail }) => [outcome, rule, detail]);
  const others = verdict.rejectedAlternatives.map(({ verdict: other, because }) => `- not ${other}: ${cell(because)}`);
  return [said, table(['', 'rule', 'what it came to'], reasons), others.join('\n')].join('\n\n');
}

function sloPart({ slo }: Receipt, plots: Readonly<Record<string, string>>, lines: Sparklines): string {
  if (slo.length === 0) return 'Nothing was compared.';
  const rows = slo.map(({ metric, unit, baseline, candidate, delta, objective, confidence }) => [
    ...[metric, told(baseline, unit), told(candidate, unit)],
    delta === null ? null : `${delta > 0 ? '+' : ''}${told(delta, unit) ?? ''}`,
    told(objective, unit),
    confidence
      .map(({ rule, outcome, evidence, needed }) => `${rule} ${outcome} (${weight(evidence)} of ${weight(needed)})`)
      .join('; '),
  ]);
  const legend =
    'Confidence: the evidence for a claim and how much is needed to call it proven, as natural logarithms of odds; below zero it speaks against.';
  const text = [
    ...(sparkline(lines.latencyP95) === '' ? [] : [`latency p95  ${sparkline(thinned(lines.latencyP95))}`]),
    ...(sparkline(lines.queueP95) === '' ? [] : [`queue p95    ${sparkline(thinned(lines.queueP95))}`]),
  ];
  return [
    table(['measure', 'baseline', 'candidate', 'delta', 'promised', 'confidence'], rows),
    legend,
    picture(plots, 'latency.svg', 'latency quantiles over time'),
    picture(plots, 'queue-time.svg', 'queue time over time'),
    ['```text', ...text, '```'].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const weight = (value: number | string | null): string =>
  value === null ? '–' : typeof value === 'number' ? rounded(value, 3) : value;

const told = (value: number | null, unit: 'ms' | 'share'): string | null =>
  value === null ? null : unit === 'ms' ? `${Math.round(value)} ms` : `${Number((value * 100).toPrecision(3))} %`;

function spendPart({ spend }: Receipt, plots: Readonly<Record<string, string>>): string {
  const groups = new Map<string, typeof spend.lines>();
  for (const line of spend.lines) groups.set(line.what, [...(groups.get(line.what) ?? []), line]);
  const rows = [...groups].map(([what, lines]) => {
    const unknown = lines.filter(({ amount }) => amount === null).length;
    const known = lines.length - unknown;
    const sum = totalsOf(lines).map(({ amount, currency }) => `${amount} ${currency}`);
    return [what, sum.join(' + ') || null, `${known} known, ${unknown} not known`, lines[0]?.source];
  });
  const totals = spend.totals.map(
    ({ amount, currency }) => `**${amount} ${currency}** in all, by what the provider says.`,
  );
  const parts = [
    totals.join('\n') ||
      (spend.lines.length === 0
        ? 'No load was sent. What canary and production cost anyway is in `davit cost`.'
        : 'Nothing is known of what was spent.'),
    table(['for', 'amount', 'stretches', 'by'], rows),
  ];
  return [...parts, picture(plots, 'spend.svg', 'spent so far')].filter((part) => part !== '').join('\n\n');
}

function evidencePart({ evidence, events }: Receipt): string {
  const rows = evidence.map(({ digest, kind, citedAt }) => [
    kind ?? 'MISSING',
    kind === null ? digest : `evidence/${kind}-${digest}.json`,
    citedAt.join(', '),
  ]);
  const first = events[0]?.position;
  const said = `${events.length} events, positions ${first ?? '–'} to ${events.at(-1)?.position ?? '–'}, in \`events.json\`. \`davit receipt verify\` works all of this out again, offline.`;
  return [table(['kind', 'file', 'cited at'], rows), said].join('\n\n');
}
