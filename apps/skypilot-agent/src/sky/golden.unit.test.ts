import { errorClass } from '@davit/contracts';
import { describe, expect, test } from '@jest/globals';
import { DIAGNOSES, diagnose } from './diagnosis.js';
import { classify } from './errors.js';
import { goldenFiles } from './testing/golden.js';

const errors = goldenFiles('error-');
const logs = goldenFiles('log-');

describe('what sky prints when it fails', () => {
  test.each(errors.map((golden) => [golden.name, golden] as const))('%s is read as it should be', (_, golden) => {
    const { expected, text } = golden;
    const verdict = classify(text, Number(expected['exit'] ?? 1));
    expect({ class: verdict.class, definite: verdict.definite ? 'yes' : 'no' }).toEqual({
      class: expected['class'],
      definite: expected['definite'],
    });
  });

  test('every class has an example', () => {
    expect([...new Set(errors.map(({ expected }) => expected['class']))].toSorted()).toEqual(
      errorClass.options.toSorted(),
    );
  });
});

describe('what the logs of a start hold', () => {
  test.each(logs.map((golden) => [golden.name, golden] as const))('%s leads to its boundary', (_, golden) => {
    const { expected, text } = golden;
    const found = diagnose(text, []);
    expect({ boundary: found?.boundary ?? 'none', class: found?.class ?? 'none' }).toEqual(expected);
  });

  test('every boundary has an example, and a remedy in words', () => {
    const shown = new Set(logs.map(({ expected }) => expected['boundary']));
    expect(DIAGNOSES.filter(({ boundary }) => !shown.has(boundary))).toEqual([]);
    for (const { remedy } of DIAGNOSES) expect(remedy).toMatch(/^[A-Z].{30,}\.$/);
  });

  test('law-13: no secret of a log gets into a diagnosis', () => {
    const secret = 'canary-5f1d0c7e9a';
    for (const { text } of logs) {
      const planted = text
        .split('\n')
        .map(
          (line) => `${line} password=${secret} Bearer ${secret} https://bot:${secret}@registry.example.com ${secret}`,
        )
        .join('\n');
      expect(JSON.stringify(diagnose(planted, [secret]) ?? {})).not.toMatch(/canary/i);
    }
  });
});
