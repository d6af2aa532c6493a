import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseDeployment } from '@davit/contracts';
import { parse } from 'yaml';

const FOLDER = path.resolve('docs/examples');

describe('the example specifications', () => {
  it.each(readdirSync(FOLDER))('%s is accepted as it stands', (file) => {
    const parsed = parseDeployment(parse(readFileSync(path.join(FOLDER, file), 'utf8')));
    expect(parsed).toMatchObject({ ok: true });
  });
});
