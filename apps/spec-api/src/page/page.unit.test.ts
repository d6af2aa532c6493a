import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FastifyInstance, fastify } from 'fastify';
import { INDEX } from './index-document.js';
import { serveIndex, servePage } from './page.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PAGE = '<!doctype html><title>Davit</title>';

let directory: string;
let http: FastifyInstance;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'davit-page-'));
  mkdirSync(path.join(directory, 'assets'));
  writeFileSync(path.join(directory, 'index.html'), PAGE);
  http = fastify();
  servePage(http, directory);
  serveIndex(http, directory);
});
afterAll(async () => {
  await http.close();
  rmSync(directory, { recursive: true });
});

const get = async (url: string, accept: string | undefined, from = http) => {
  const { statusCode, body, headers } = await from.inject({ url, headers: accept === undefined ? {} : { accept } });
  return { statusCode, body, type: headers['content-type'], vary: headers.vary };
};

describe('the front page', () => {
  test('is a page to browsers, at any path of its own', async () => {
    for (const url of ['/', '/deployments/default/qwen3-8b'])
      expect(await get(url, BROWSER)).toMatchObject({ statusCode: 200, body: PAGE, vary: 'accept' });
  });

  test.each(['*/*', 'application/json', undefined])('tells whoever accepts %s where everything is', async (accept) => {
    const { body, ...answer } = await get('/', accept);
    expect(answer).toEqual({ statusCode: 200, type: 'application/json; charset=utf-8', vary: 'accept' });
    expect(JSON.parse(body)).toEqual(INDEX);
    expect(body.endsWith('}\n')).toBe(true);
  });

  test('tells browsers the same where no page was built', async () => {
    const bare = fastify();
    serveIndex(bare);
    expect(JSON.parse((await get('/', BROWSER, bare)).body)).toEqual(INDEX);
    await bare.close();
  });

  test("tells nobody of a path that is neither the page's nor the interface's", async () => {
    expect(await get('/deployments/default/qwen3-8b', '*/*')).toMatchObject({ statusCode: 404 });
    expect(await get('/v1/nothing', BROWSER)).toMatchObject({ statusCode: 404 });
  });
});
