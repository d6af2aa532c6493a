import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type NormalisedDeployment, type StockSignal, parseDeployment, planView } from '@davit/contracts';
import { declare } from '@davit/domain';
import { NOTHING_KNOWN_YET, plan } from '@davit/spec-api';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

const FOLDER = path.resolve('docs/examples');
const EXAMPLES = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
const NOW = '2026-11-30T00:00:00.000Z';

function read(file: string): NormalisedDeployment {
  const parsed = parseDeployment(parse(readFileSync(path.join(FOLDER, file), 'utf8')));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.deployment;
}
const signal = (amount: string): StockSignal => ({
  ...{ state: 'available', source: 'test', scope: 'region', level: null, detail: '', permanent: false },
  ...{ observedAt: NOW, expiresAt: '2026-11-30T00:01:00.000Z' },
  price: { amount, currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'test', observedAt: NOW },
});

describe('the example specifications', () => {
  it.each(EXAMPLES)('%s names the schema that editors complete it by, and is as that says', (file) => {
    const text = readFileSync(path.join(FOLDER, file), 'utf8');
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const isDeployment = ajv.compile(JSON.parse(readFileSync(path.join(FOLDER, schema), 'utf8')) as object);
    isDeployment(parse(text));
    expect(isDeployment.errors).toBeNull();
    isDeployment({ ...(parse(text) as object), kind: 'Deplyoment' });
    expect(isDeployment.errors).toMatchObject([{ instancePath: '/kind' }]);
  });

  it.each(EXAMPLES)('%s is accepted as it stands', (file) => {
    expect(read(file)).toMatchObject({ kind: 'Deployment' });
  });

  it.each(EXAMPLES)('%s is placed whole, within its budgets, where its cards are to be had', (file) => {
    const wanted = read(file);
    const { compute } = wanted.spec;
    const decision = declare(undefined, wanted, '00000000-0000-7000-8000-000000000001');
    if (decision.outcome !== 'accepted') throw new Error(decision.detail);
    const count = compute.mode === 'elastic' ? compute.placements.length : 0;
    const signals = new Map(Array.from({ length: count }, (_, rung) => [rung, signal('0.79')]));
    const nowMs = Date.parse(NOW) + 1_000;
    const view = plan({ state: undefined, wanted, decision, signals, known: NOTHING_KNOWN_YET, nowMs });
    expect(planView.parse(view)).toEqual(view);
    expect(view.budgets.map(({ verdict }) => verdict)).not.toContain('exceeds');
    expect(view.placed.map(({ rung }) => rung)).not.toContain(null);
    expect(view.placed.length > 0).toBe(compute.mode === 'elastic');
  });
});
