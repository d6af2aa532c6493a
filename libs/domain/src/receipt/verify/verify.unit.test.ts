import { describe, expect, test } from '@jest/globals';
import { type EvidenceOf } from '@davit/contracts';
import fc from 'fast-check';
import { canonicalJson, digestOf, digestOfText } from '../../canonical.js';
import { type ReceiptFiles, receiptFiles } from '../files.js';
import type { ReceiptEvidence, ReceiptSources } from '../receipt.js';
import { acceptedRollout, rolledBackRollout } from '../testing/rollouts.js';
import { verifyReceipt } from './verify.js';

const filesOf = (sources: ReceiptSources): ReceiptFiles => receiptFiles(sources) ?? {};
const good = filesOf(acceptedRollout());

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
const parsed = (text: string | undefined): Json => JSON.parse(text ?? 'null') as Json;

/** Paths of all that is no list and no object, at most `most` of each list. */
function leaves(value: Json, path: readonly (string | number)[] = [], most = 3): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value)
    .slice(0, Array.isArray(value) ? most : undefined)
    .flatMap(([name, inner]) => leaves(inner, [...path, Array.isArray(value) ? Number(name) : name], most));
}

/** Another value of the same kind, at this path. */
function flipped(value: Json, [name, ...rest]: readonly (string | number)[]): Json {
  if (name === undefined) return other(value);
  if (Array.isArray(value)) return value.map((inner, index) => (index === name ? flipped(inner, rest) : inner));
  if (typeof value !== 'object' || value === null) throw new Error('no such path');
  return { ...value, [name]: flipped(value[name] ?? null, rest) };
}

function other(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return /^[0-9]/.test(value) ? `1${value}` : `${value}x`;
  return value === null ? 1 : null;
}

const evidencePath = (kind: string): string =>
  Object.keys(good).find((path) => path.startsWith(`evidence/${kind}-`)) ?? '';
const pretty = (value: Json): string => `${JSON.stringify(value, undefined, 1)}\n`;

describe('every field counts', () => {
  const cases = [
    'receipt.json',
    'events.json',
    ...Object.keys(good).filter((path) => path.startsWith('evidence/')),
  ].map((path) => ({ path, value: parsed(good[path]) }));

  test('whatever is changed in whichever file, the answer is another', () => {
    const places = cases.flatMap(({ path, value }) => leaves(value).map((leaf) => ({ path, value, leaf })));
    expect(places.length).toBeGreaterThan(500);
    fc.assert(
      fc.property(fc.constantFrom(...places), ({ path, value, leaf }) => {
        const changed = { ...good, [path]: pretty(flipped(value, leaf)) };
        expect(verifyReceipt(changed).length).toBeGreaterThan(0);
      }),
      { numRuns: 25 },
    );
  });

  test('a changed byte of the text or of a picture is named', () => {
    for (const path of Object.keys(good).filter((name) => /\.(?:md|svg)$/.test(name))) {
      const found = verifyReceipt({ ...good, [path]: (good[path] ?? '').replace('a', 'b') });
      expect(found.filter(({ where }) => where === path).map(({ check }) => check)).toEqual(['digests', 'receipt']);
    }
  });

  test('a removed file is named, whichever it is, and so is one that was added', () => {
    for (const path of Object.keys(good)) {
      const rest = Object.fromEntries(Object.entries(good).filter(([name]) => name !== path));
      expect(verifyReceipt(rest)).toContainEqual(expect.objectContaining({ check: 'files', where: path }));
    }
    expect(verifyReceipt({ ...good, 'notes.md': 'x' })).toMatchObject([{ check: 'files', where: 'notes.md' }]);
  });
});

/** A receipt made anew around something that was changed on purpose, by somebody who knows how. */
function resealed(change: (sources: ReceiptSources) => ReceiptSources): ReceiptFiles {
  return filesOf(JSON.parse(JSON.stringify(change(acceptedRollout()))) as ReceiptSources);
}

const eventChanged = (type: string, change: (data: Record<string, unknown>) => object) =>
  resealed((sources) => ({
    ...sources,
    events: sources.events.map((event) =>
      event.type === type
        ? ({ ...event, data: { ...event.data, ...change({ ...event.data }) } } as typeof event)
        : event,
    ),
  }));

/** Another baseline, with its digest wherever it is named: what was recorded, what was approved and by which word. */
function baselineChanged(change: (value: EvidenceOf<'baseline'>) => EvidenceOf<'baseline'>): ReceiptFiles {
  return resealed((sources) => {
    const renamed = new Map<string, string>();
    const renaming = <Value>(value: Value): Value =>
      JSON.parse([...renamed].reduce((text, [was, is]) => text.replaceAll(was, is), JSON.stringify(value))) as Value; // the same but for digests
    const again = (kept: ReceiptEvidence): ReceiptEvidence => {
      const value = kept.kind === 'baseline' ? change(kept.value) : renaming(kept.value);
      const digest = digestOf(value);
      if (digest !== kept.digest) renamed.set(kept.digest, digest);
      return { ...kept, value, digest } as ReceiptEvidence; // of the kind that it was
    };
    const evidence = sources.evidence.map(again);
    return { evidence, events: renaming(sources.events) };
  });
}

/** One sample of the fourth window took longer. */
const slowerBaseline = (value: EvidenceOf<'baseline'>): EvidenceOf<'baseline'> => ({
  ...value,
  windows: value.windows.map((window, index) =>
    index === 3 && Array.isArray(window?.latencies)
      ? { ...window, latencies: window.latencies.map((ms, at) => (at === 299 ? 9_000 : ms)) }
      : window,
  ),
});

describe('one who seals a changed receipt anew', () => {
  test('cannot change a sample, since an event names the digest of what was measured', () => {
    const files = resealed((sources) => ({
      ...sources,
      evidence: sources.evidence.map((kept) => {
        if (kept.kind !== 'load-run') return kept;
        const samples = kept.value.samples.map((sample, index) => (index === 0 ? { ...sample, latencyMs: 1 } : sample));
        const value = { ...kept.value, samples };
        return { ...kept, value, digest: digestOf(value) };
      }),
    }));
    expect(verifyReceipt(files).filter(({ check }) => check === 'evidence')).toHaveLength(3);
  });

  test('cannot change a sample and the digest in its event, since the figures of the step no longer come out', () => {
    const run = acceptedRollout().evidence.find(({ kind }) => kind === 'load-run');
    if (run?.kind !== 'load-run') throw new Error('no run');
    const samples = run.value.samples.map((sample) => ({ ...sample, latencyMs: sample.latencyMs === null ? null : 1 }));
    const value = { ...run.value, samples };
    const files = resealed((sources) => ({
      evidence: sources.evidence.map((kept) =>
        kept.digest === run.digest ? { kind: 'load-run', value, digest: digestOf(value) } : kept,
      ),
      events: sources.events.map((event) =>
        event.type === 'davit.rollout.load-profile-run' && event.data.evidenceDigest === run.digest
          ? { ...event, data: { ...event.data, evidenceDigest: digestOf(value) } }
          : event,
      ),
    }));
    expect(verifyReceipt(files)).toContainEqual(
      expect.objectContaining({ check: 'load', where: expect.stringContaining('latency.p95Ms') }),
    );
  });

  test('cannot have the candidate compared with another baseline than the one that was recorded before the change', () => {
    const compared = (change: (value: EvidenceOf<'baseline'>) => EvidenceOf<'baseline'>) =>
      verifyReceipt(baselineChanged(change)).flatMap(({ check, where, detail }) =>
        check === 'baseline' && where.startsWith('verdict') ? [detail] : [],
      );
    expect(compared(slowerBaseline)).toEqual(['window 4 of its baseline is not the one that was recorded']);
    expect(compared((value) => ({ ...value, windows: value.windows.slice(1) }))).toEqual([
      'compares with 30 windows of a baseline, and 29 were recorded',
    ]);
    const unnamed = eventChanged('davit.rollout.baseline-recorded', () => ({ evidenceDigest: 'f'.repeat(64) }));
    expect(verifyReceipt(unnamed)).toContainEqual(
      expect.objectContaining({ check: 'baseline', detail: 'compares with a baseline that no evidence records' }),
    );
  });

  test('cannot change a sample of the baseline and every digest of it, since what its event says of the window no longer comes out', () => {
    const moved = (value: EvidenceOf<'baseline'>): EvidenceOf<'baseline'> => ({
      ...value,
      windows: value.windows.map((window, index) =>
        index === 3 && Array.isArray(window?.latencies)
          ? { ...window, latencies: window.latencies.map((ms, at) => (at === 149 ? 999 : ms)) }
          : window,
      ),
    });
    expect(verifyReceipt(baselineChanged(moved))).toContainEqual({
      check: 'baseline',
      where: expect.stringMatching(/^event \d+, window 3\.latency\.p50Ms$/),
      detail: 'is not what the samples give',
    });
  });

  test('cannot turn the verdict', () => {
    const found = verifyReceipt(eventChanged('davit.rollout.verdict-reached', () => ({ verdict: 'reject' })));
    expect(found).toEqual([
      {
        check: 'verdict',
        where: expect.stringContaining('event'),
        detail: 'the samples give another verdict (accept)',
      },
    ]);
  });

  test('cannot hide a regression: a verdict of accept over the slow candidate is refuted', () => {
    const sources = rolledBackRollout();
    const events = sources.events.map((event) =>
      event.type === 'davit.rollout.verdict-reached'
        ? { ...event, data: { ...event.data, verdict: 'accept' as const } }
        : event,
    );
    expect(verifyReceipt(filesOf({ ...sources, events }))).toMatchObject([
      { check: 'verdict', detail: 'the samples give another verdict (reject)' },
    ]);
  });

  test('cannot raise a bound, in the result or in its arithmetic', () => {
    const raised = eventChanged('davit.rollout.bounds-set', ({ bounds }) => ({
      bounds: { ...(bounds as object), maxWorkers: 99 },
    }));
    expect(verifyReceipt(raised)).toContainEqual(
      expect.objectContaining({ check: 'bounds', where: 'bounds.set.maxWorkers' }),
    );
    const cheaper = eventChanged('davit.rollout.bounds-set', ({ arithmetic }) => ({
      arithmetic: (arithmetic as { name: string; result: unknown }[]).map((line) =>
        line.name === 'max_workers' ? { ...line, result: 99 } : line,
      ),
    }));
    expect(verifyReceipt(cheaper).map(({ check }) => check)).toContain('bounds');
  });

  test('cannot change what was spent under load', () => {
    const files = eventChanged('davit.rollout.load-profile-run', ({ steps }) => ({
      steps: (steps as { window: object }[]).map((step) => ({
        ...step,
        window: { ...step.window, spend: { amount: '0', currency: 'USD' } },
      })),
    }));
    expect(verifyReceipt(files).filter(({ check }) => check === 'load')).not.toEqual([]);
  });

  test('cannot leave out or turn round the word of the operator', () => {
    const without = resealed((sources) => ({
      ...sources,
      events: sources.events.filter(({ type }) => type !== 'davit.deployment.rollout-approved'),
    }));
    expect(verifyReceipt(without)).toMatchObject([
      { check: 'approval', detail: expect.stringContaining('no operator') },
    ]);
    const elsewhere = eventChanged('davit.rollout.update-attempted', () => ({ workergroupId: 1 }));
    expect(verifyReceipt(elsewhere)).toMatchObject([
      { check: 'approval', detail: expect.stringContaining('something else') },
    ]);
  });

  test('cannot leave out an event of the rollout, or move one', () => {
    const without = resealed(({ events, evidence }) => ({
      evidence,
      events: events.filter(({ version }) => version !== 5),
    }));
    expect(verifyReceipt(without).map(({ check }) => check)).toContain('events');
    const turned = resealed(({ events, evidence }) => ({ evidence, events: events.toReversed() }));
    expect(verifyReceipt(turned).map(({ check }) => check)).toContain('events');
  });

  test('cannot put a figure into the summary that does not follow', () => {
    const path = 'receipt.json';
    const receipt = parsed(good[path]) as { spend: { totals: { amount: string }[] }; parts: object[] };
    const cheaper = { ...receipt, spend: { ...receipt.spend, totals: [{ amount: '0.01', currency: 'USD' }] } };
    expect(verifyReceipt({ ...good, [path]: JSON.stringify(cheaper) })).toMatchObject([
      { check: 'receipt', where: 'receipt.json: spend.totals.0.amount' },
    ]);
  });
});

test('files that are no receipt at all are told so, and never throw', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(good)), fc.oneof(fc.string(), fc.json())), (files) => {
      expect(verifyReceipt(files).length).toBeGreaterThan(0);
    }),
  );
});

test('evidence is checked as the bytes that it is, by any tool that makes a SHA-256', () => {
  const path = evidencePath('verdict-bundle');
  const text = good[path] ?? '';
  expect(path).toBe(`evidence/verdict-bundle-${digestOfText(text)}.json`);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});
