import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { INSTALL_MS, Visitor, openBrowser } from './testing/page/browser.js';
import { Operator } from './testing/page/operator.js';
import { EXAMPLE, LIFE_TIMEOUT_MS, type Rig, startRig, urlOf } from './testing/rig.js';

jest.setTimeout(LIFE_TIMEOUT_MS);

const KEY = 'default/qwen3-8b';

let rig: Rig;
let browser: Browser | undefined;
let visitor: Visitor;
let operator: Operator;

beforeAll(async () => {
  browser = await openBrowser();
  if (!browser) return;
  rig = await startRig('page');
  const folder = path.join(rig.system.dir, 'screenshots');
  visitor = await Visitor.come(browser, { url: urlOf(rig.system, 'spec-api'), folder });
  operator = new Operator(visitor);
}, LIFE_TIMEOUT_MS + INSTALL_MS);
afterAll(async () => {
  await browser?.close();
  await (rig as Rig | undefined)?.system.stop();
}, LIFE_TIMEOUT_MS);

let broken: string | undefined;

/**
 * A rule about the page. Each goes on from where the one before it ended, so that what follows a broken one proves nothing. Nothing is
 * shown where there is no browser, which is said on standard error.
 */
const rule = (title: string, run: () => Promise<void>): void =>
  test(title, async () => {
    if (!browser) return;
    if (broken !== undefined) throw new Error(`not reached: «${broken}» is broken`);
    broken = title;
    await rig.life(run);
    broken = undefined;
  });

describe('the page of a running system', () => {
  rule('shows a fleet of nothing as such, and how to begin', async () => {
    await visitor.goTo('/');
    await operator.sees('Nothing is deployed yet');
    await operator.sees('Live · position');
    await visitor.look('empty');
  });

  rule('tells what is wrong with a specification, field by field, before anything is changed', async () => {
    const wrong = readFileSync(EXAMPLE, 'utf8')
      .replace('engine: vllm', 'engine: vlm')
      .replace('replicas: 2', 'replicas: two');
    await operator.plan(wrong);
    await operator.sees('It was not accepted');
    await operator.sees('spec.runtime.engine');
    await operator.sees('spec.scaling.replicas');
    await visitor.look('mistakes');
    expect(await rig.client.deployments()).toEqual([]);
  });

  rule(
    'plans a specification without an effect, applies it, and shows it come up without being asked again',
    async () => {
      await operator.plan(readFileSync(EXAMPLE, 'utf8'));
      await operator.sees(`Plan for ${KEY}`);
      expect(await rig.client.deployments()).toEqual([]);
      await visitor.look('plan');
      await operator.apply(KEY);
      await operator.sees('Ready');
      await operator.seesReplica('qwen3-8b-1-0-1', 'serving');
      await operator.seesReplica('qwen3-8b-1-1-1', 'serving');
      await operator.sees('takes requests');
      await visitor.look('deployment');
    },
  );

  rule('shows a replica die and another take its place', async () => {
    const [victim] = await rig.world.running();
    if (!victim) throw new Error('the world runs no machine');
    await rig.world.kill(victim.id);
    await operator.seesReplica(/qwen3-8b-1-[01]-2/, 'serving');
    await visitor.look('healed');
    await visitor.goTo('/');
    await operator.sees('available');
    await visitor.look('fleet');
  });
});
