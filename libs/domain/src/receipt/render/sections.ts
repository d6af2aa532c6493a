import type { Receipt, WorkerStep } from '../receipt.js';
import { cell, lasted, millis, rounded, sparkline, table, thinned } from './table.js';

type Plots = Readonly<Record<string, string>>;
const picture = (plots: Plots, file: string, alt: string): string =>
  plots[file] === undefined ? '' : `![${alt}](${file})`;

/** Nothing is changed before a word: who gave it, and on what. */
export function approvalsPart({ approvals, final }: Receipt): readonly string[] {
  const asked = approvals.asked.map(({ position, at, required, evidenceDigest, worstCaseSpend, deadlineAt }) => [
    ...[position, at, required ? 'an operator' : 'the declaration', deadlineAt],
    worstCaseSpend === null ? 'not known' : `${worstCaseSpend.amount} ${worstCaseSpend.currency}`,
    evidenceDigest,
  ]);
  const words = approvals.words.map(({ position, at, verb, actor, reason, evidenceDigest }) => [
    ...[position, at, verb, actor ?? 'unnamed', reason],
    evidenceDigest,
  ]);
  return [
    final.productionTouched ? 'Production was changed.' : 'Nothing of production was changed.',
    ...(asked.length === 0 ? [] : [table(['event', 'asked at', 'of', 'until', 'may cost at most', 'evidence'], asked)]),
    ...(words.length === 0 ? [] : [table(['event', 'at', 'word', 'by', 'because', 'evidence'], words)]),
  ];
}

const MOST_ROWS = 40;

export function workersPart({ workers }: Receipt, plots: Plots): string {
  if (workers.length === 0) return 'No worker of production was observed.';
  const row = ({ position, at, workerId, status, on, by, inFlight }: WorkerStep) => [
    ...[position, at, workerId, status, on ?? '–', by],
    inFlight,
  ];
  const more = workers.length - MOST_ROWS;
  const rest = more > 0 ? `${more} more in \`receipt.json\`.` : '';
  const heads = ['event', 'at', 'worker', 'status', 'on', 'told by', 'in flight'];
  return [
    picture(plots, 'workers.svg', 'workers by template'),
    table(heads, workers.slice(0, MOST_ROWS).map(row)),
    rest,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

export function proofPart({ proof }: Receipt): string {
  if (proof === null) return 'The candidate did not come so far.';
  if (!proof.passed) {
    const broken = proof.detail.split('; ').map((one) => `- ${cell(one)}`);
    return [`**Failed** at ${proof.step ?? '–'}:`, broken.join('\n')].join('\n\n');
  }
  const rows = [
    ['loaded in', proof.loadMs === null ? null : lasted(proof.loadMs)],
    ['ready after', proof.readinessMs === null ? null : lasted(proof.readinessMs)],
    ['answers have the shape of', proof.responseSchema],
    ['answers as recorded', proof.answers],
  ];
  return table(['', ''], rows);
}

export function boundsPart({ bounds }: Receipt): readonly string[] {
  if (bounds.set === null && bounds.conflicts.length === 0) return ['None were worked out.'];
  const rows = Object.entries(bounds.set ?? {}).map(([bound, value]) => boundRow(bound, value));
  const steps = bounds.arithmetic.map(({ name, formula, inputs, result, unit }) => [
    ...[name, formula],
    ...[
      Object.entries(inputs)
        .map(([input, value]) => `${input} ${figure(value)}`)
        .join(', '),
      `${figure(result)} ${unit}`,
    ],
  ]);
  const conflicts = bounds.conflicts.map((conflict) => `- ${cell(conflict)}`).join('\n');
  const applied = bounds.applied.map(({ to, at, position }) => `- read back from ${to} at ${at} (event ${position})`);
  return [
    ...(bounds.set === null
      ? ['No bounds keep objectives and budget together:', conflicts]
      : [table(['bound', 'value', 'unit'], rows)]),
    applied.join('\n'),
    table(['step', 'formula', 'from', 'result'], steps),
  ];
}

/** As Vast names them, and what they are counted in. */
const BOUNDS: Readonly<Record<string, readonly [string, string]>> = {
  minLoad: ['min_load', 'load units/s'],
  coldWorkers: ['cold_workers (min_workers)', 'workers'],
  maxWorkers: ['max_workers', 'workers'],
  inactivityTimeoutS: ['inactivity_timeout', 's; negative: never without an active worker'],
  targetQueueTimeS: ['target_queue_time', 's'],
  maxQueueTimeS: ['max_queue_time', 's'],
  targetUtil: ['target_util', 'share'],
  coldMult: ['cold_mult', 'times the load'],
  minColdLoad: ['min_cold_load', 'load units/s'],
};

function boundRow(bound: string, value: number | string): readonly string[] {
  const [name, unit] = BOUNDS[bound] ?? [bound, '–'];
  return [name, figure(value), unit];
}

const figure = (value: number | string): string => (typeof value === 'number' ? rounded(value) : value);

export function loadPart({ load }: Receipt, plots: Plots): readonly string[] {
  if (load.length === 0) return ['No load was sent.'];
  const ramps = load.flatMap(({ ramp, attempt, position, steps, converged, criterion }) => {
    const said = converged === null ? '' : converged ? '**Converged**: ' : 'Not converged yet: ';
    const rows = steps.map((step) => [
      ...[rounded(step.requestsPerSecond), lasted(Date.parse(step.to) - Date.parse(step.from))],
      ...[step.sent, step.ok, errorsOf(step.errors)],
      ...[step.latencyMs.p50, step.latencyMs.p95, step.latencyMs.p99, step.queueP95Ms].map(millis),
      ...[
        Object.entries(step.workers)
          .map(([status, count]) => `${count} ${status}`)
          .join(', '),
      ],
      step.spend === null ? null : `${step.spend.amount} ${step.spend.currency}`,
    ]);
    const heads = [
      'requests/s',
      'for',
      'sent',
      'ok',
      'errors',
      'p50 ms',
      'p95 ms',
      'p99 ms',
      'queue p95 ms',
      'workers',
      'spent',
    ];
    const line = sparkline(thinned(steps.map(({ latencyMs }) => latencyMs.p95)));
    return [
      `### Ramp ${ramp}, attempt ${attempt} (event ${position})`,
      `${said}${cell(criterion)}`,
      ...(rows.length === 0 ? [] : [table(heads, rows), `\`p95 ${line}\``]),
    ];
  });
  return [picture(plots, 'load-latency.svg', 'latency of the candidate under load'), ...ramps];
}

const errorsOf = (errors: Readonly<Record<string, number>>): string =>
  Object.entries(errors)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ') || '0';
