import { describe, expect, test } from '@jest/globals';
import { readEvidence } from '@davit/contracts';
import { receiptFiles } from './files.js';
import { receiptOf } from './receipt-of.js';
import type { Receipt, ReceiptSources } from './receipt.js';
import { acceptedRollout, rejectedRollout, rolledBackRollout } from './testing/rollouts.js';
import { verifyReceipt } from './verify/verify.js';

function made(sources: ReceiptSources): { receipt: Receipt; files: Readonly<Record<string, string>> } {
  const [receipt, files] = [receiptOf(sources), receiptFiles(sources)];
  if (!receipt || !files) throw new Error('no receipt');
  return { receipt, files };
}

describe.each([
  ['accepted', acceptedRollout],
  ['rejected', rejectedRollout],
  ['rolled-back', rolledBackRollout],
] as const)('a rollout that was %s', (state, rollout) => {
  test('has a receipt of that state in which nothing is amiss', () => {
    const { receipt, files } = made(rollout());
    expect(receipt.final.state).toBe(state);
    expect(verifyReceipt(files)).toEqual([]);
  });

  test('reads as it is kept', () => {
    expect(made(rollout()).files['receipt.md']).toMatchSnapshot();
  });

  test('gives the same bytes twice, and from what was read back from text', () => {
    const again = JSON.parse(JSON.stringify(rollout())) as ReceiptSources;
    expect(made(again).files).toEqual(made(rollout()).files);
  });

  test('rests on evidence that the store would keep as it is', () => {
    for (const { kind, value } of rollout().evidence) expect(readEvidence(kind, value)).toEqual({ ok: true, value });
  });
});

test('the accepted one names what was changed, by whom, on what, and what serves', () => {
  const { receipt, files } = made(acceptedRollout());
  expect(receipt.final).toMatchObject({ serves: 'candidate', productionTouched: true, canaryRemoved: true });
  expect(receipt.endpoint).toEqual({ externalKey: 'dv-qwen-1', workergroupId: 7_301, canaryKey: 'dv-canary-1' });
  expect(receipt.templates).toMatchObject({ old: { templateId: 411 }, new: { templateId: 412 } });
  expect(receipt.approvals.words).toMatchObject([{ verb: 'approved', actor: 'ada' }]);
  expect(receipt.slo.find(({ metric }) => metric === 'latency-p95')).toMatchObject({
    ...{ baseline: 1_448, candidate: 1_448, delta: 0, objective: 2_000 },
    confidence: [{ outcome: 'met' }, { outcome: 'met' }],
  });
  // Three ramps of four known steps, thirty windows of the baseline and as many of the candidate.
  expect(receipt.spend.totals).toEqual([{ amount: '1.9608', currency: 'USD' }]);
  expect(receipt.spend.unknown).toBe(3);
  expect(Object.keys(files).filter((path) => path.endsWith('.svg'))).toEqual([
    ...['latency.svg', 'queue-time.svg', 'load-latency.svg', 'workers.svg', 'spend.svg'],
  ]);
});

test('the rejected one says that production was not touched, and has no pictures of it', () => {
  const { receipt, files } = made(rejectedRollout());
  expect(receipt.final).toMatchObject({ serves: 'old', productionTouched: false, reason: 'candidate-failed' });
  expect([receipt.verdict, receipt.slo, receipt.workers]).toEqual([null, [], []]);
  expect(Object.keys(files).filter((path) => path.endsWith('.svg'))).toEqual([]);
});

test('the one that was taken back shows how much slower it was, and every worker on the old template again', () => {
  const { receipt } = made(rolledBackRollout());
  expect(receipt.final).toMatchObject({ serves: 'old', productionTouched: true, reason: 'verdict-reject' });
  expect(receipt.verdict).toMatchObject({ verdict: 'reject' });
  expect(receipt.slo.find(({ metric }) => metric === 'latency-p95')).toMatchObject({
    baseline: 1_448,
    candidate: 4_345,
  });
  const last = new Map(receipt.workers.map(({ workerId, on }) => [workerId, on]));
  expect([...last.values()]).toEqual(['old', 'old']);
});

test('markup in what people wrote has no effect in the text or the pictures', () => {
  const sources = acceptedRollout();
  const events = sources.events.map((event) =>
    event.type === 'davit.deployment.rollout-approved'
      ? { ...event, data: { ...event.data, reason: 'fine | <script>alert(1)</script>\n# no' } }
      : event,
  );
  const { files } = made({ ...sources, events });
  expect(files['receipt.md']).toContain('fine \\| \\<script\\>alert(1)\\</script\\> # no');
  expect(verifyReceipt(files)).toEqual([]);
});

test('events of no rollout give no receipt', () => {
  expect(receiptFiles({ events: [], evidence: [] })).toBeUndefined();
});
