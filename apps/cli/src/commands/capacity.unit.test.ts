import { afterEach, describe, expect, test } from '@jest/globals';
import type { CapacityEntry } from '@davit/contracts';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

const at = (minute: number): string => new Date(Date.UTC(2026, 8, 1, 16, minute)).toISOString();
const offer = 'runpod:*:L40S:1';
const ENTRIES: readonly CapacityEntry[] = [
  {
    kind: 'signal',
    position: 4,
    time: at(0),
    offer,
    asked: 'on-schedule',
    replica: null,
    state: 'available',
    source: 'runpod-v2',
    scope: 'global',
    level: 'HIGH',
    observedAt: at(0),
    expiresAt: at(2),
    confidence: null,
    price: null,
    detail: '',
    unknownSince: at(0),
  },
  { kind: 'unknown', position: 4, time: at(2), offer, until: at(9) },
  {
    kind: 'start',
    position: 9,
    time: at(3),
    offer,
    replica: 'default/qwen-1-0-1',
    step: 'refused',
    class: 'capacity',
    price: null,
    detail: 'launch refused: none left',
  },
];
const page = (items: readonly CapacityEntry[], next: number | null) => ({
  from: at(0),
  to: at(30),
  items,
  next,
  read: { events: 3, upTo: 9 },
  notes: [],
});

describe('davit capacity history', () => {
  test('shows what was said with its position, and a line where nothing was known', async () => {
    api = await answering({ 'GET /v1/capacity/history': () => page(ENTRIES, null) });
    expect(await run(['capacity', 'history', '--cloud', 'runpod', '--from', '2h', '--url', api.url])).toBe(0);
    expect(api.asked).toEqual(['GET /v1/capacity/history?cloud=runpod&from=2h&limit=1000']);
    const [signal, silence, start] = printed.out().split(/\n(?= *\d+ )/);
    expect(signal).toMatch(
      /^ +4 {2}2026-09-01 16:00:00 {2}runpod:\*:L40S:1 +available \(runpod-v2, global, holds 2m\)/,
    );
    expect(silence).toContain('unknown from here until 16:09:00');
    expect(start).toMatch(/refused default\/qwen-1-0-1; launch refused:\s+none left/);
    expect(
      printed
        .out()
        .split('\n')
        .filter((line) => line.length > 100),
    ).toEqual([]);
  });
  test('goes on page by page, and says how to go on after its limit', async () => {
    const pages = [page(ENTRIES, 9), page(ENTRIES, 20)];
    let asked = 0;
    api = await answering({ 'GET /v1/capacity/history': () => pages[asked++] });
    expect(await run(['capacity', 'history', '--limit', '6', '--url', api.url])).toBe(0);
    expect(api.asked.map((path) => /after=(\d+)/.exec(path)?.[1])).toEqual([undefined, '9']);
    expect(printed.out()).toContain('There is more: the same command with --after 20.');
  });
  test('of nothing says so', async () => {
    api = await answering({ 'GET /v1/capacity/history': () => page([], null) });
    expect(await run(['capacity', 'history', '--url', api.url])).toBe(0);
    expect(printed.out()).toContain(`nothing is recorded from ${at(0)}`);
  });
  test('--limit 0 is no count', async () => {
    expect(await run(['capacity', 'history', '--limit', '0'])).toBe(2);
  });
});

describe('davit capacity offers', () => {
  test('shows the present stock, what it rests on, and what history says', async () => {
    const placement = { cloud: 'runpod', region: null, accelerator: { name: 'L40S', count: 1 }, spot: false };
    const signal = { state: 'available', source: 'runpod-v2', scope: 'global', observedAt: at(0), expiresAt: at(2) };
    const row = {
      offer,
      placement,
      state: 'unknown',
      signal: { ...signal, position: 4, ageMs: 180_000 },
      confidence: 0.33,
      honesty: { saidAvailable: 4, refused: 3, share: 0.25 },
      reliability: null,
      readyTime: { medianMs: 240_000, p95Ms: 600_000, starts: 5 },
      prices: [],
    };
    api = await answering({
      'GET /v1/capacity/offers': () => ({ position: 9, items: [row], lookedBackTo: { position: 1, time: at(0) } }),
    });
    expect(await run(['capacity', 'offers', '--spot', '--url', api.url])).toBe(0);
    expect(api.asked).toEqual(['GET /v1/capacity/offers?spot=true']);
    expect(printed.out()).toMatch(
      /unknown +0\.33 +1 of 4 +– +4m \(p95 10m\)\n +signal available by runpod-v2 3m ago, which has run out\n +price not known/,
    );
  });
});
