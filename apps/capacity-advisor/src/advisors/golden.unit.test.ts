import { describe, expect, it } from '@jest/globals';
import type { HttpOutcome } from '@davit/ports';
import type { StockQuestion, Verdict } from './advisor.js';
import type { Dialect } from './provider.js';
import { runpodGraphql } from './runpod/graphql.js';
import { runpodV2 } from './runpod/v2.js';
import { goldenTable, outcomeOf, questionOf } from './testing/golden.js';
import { vastOffers } from './vast/advisor.js';

const deciding =
  <Question, Answer>(dialect: Dialect<Question, Answer>) =>
  (outcome: HttpOutcome, asked: StockQuestion): Verdict => {
    const put = dialect.questionOf(asked);
    if ('impossible' in put) throw new Error(put.impossible);
    const read = dialect.read(outcome, put.question);
    return 'verdict' in read ? read.verdict : dialect.decide(read.answer, put.question);
  };

const PROVIDERS = [
  ['runpod-v2.json', deciding(runpodV2('https://api.example'))],
  ['runpod-graphql.json', deciding(runpodGraphql('https://api.example/graphql'))],
  ['vast.json', deciding(vastOffers('https://console.example'))],
] as const;

describe.each(PROVIDERS)('the answers of %s', (file, decide) => {
  const table = goldenTable(file);

  it.each(table.rows)('say what the table says: $row', (golden) => {
    const verdict = decide(outcomeOf(table, golden), questionOf(table.cloud, golden));
    expect({ failure: null, ...verdict }).toMatchObject(golden.expect);
  });

  it('are explained in words, in every row', () => {
    for (const golden of table.rows) {
      const { detail } = decide(outcomeOf(table, golden), questionOf(table.cloud, golden));
      expect(detail).toMatch(/\w+ .*\w/);
    }
  });

  it('law-04: no failure is ever more than unknown, and nothing unknown has a price or a scope', () => {
    for (const golden of table.rows) {
      const verdict = decide(outcomeOf(table, golden), questionOf(table.cloud, golden));
      if (verdict.failure !== undefined) expect(verdict.state).toBe('unknown');
      if (verdict.state === 'unknown') expect(verdict).toMatchObject({ price: null, scope: 'none', permanent: false });
    }
  });

  it('cover every state and every kind of failure', () => {
    const verdicts = table.rows.map((golden) => decide(outcomeOf(table, golden), questionOf(table.cloud, golden)));
    expect(new Set(verdicts.map(({ state }) => state)).size).toBe(4);
    expect([...new Set(verdicts.flatMap(({ failure }) => failure ?? []))].sort()).toEqual([
      'bad-question',
      'credentials-rejected',
      'outage',
      'rate-limited',
      'unreadable-answer',
    ]);
  });
});
