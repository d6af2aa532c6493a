import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { INSTALL_MS, Visitor, openBrowser } from './testing/page/browser.js';
import { Operator } from './testing/page/operator.js';
import { EXAMPLE, LIFE_TIMEOUT_MS, type Rig, startRig, urlOf } from './testing/rig.js';
import { rentStray } from './stray.js';
import { readServerless, withArgument } from './vast/manifest.js';
import { waitFor } from './wait-for.js';

jest.setTimeout(LIFE_TIMEOUT_MS);

const KEY = 'default/qwen3-8b';
const SERVERLESS = readServerless(fileURLToPath(new URL('../../../docs/examples/vast-evidence.yaml', import.meta.url)));
const SERVERLESS_KEY = `default/${SERVERLESS.metadata.name}`;
const VIEWS = ['/', '/replicas', '/routes', '/cost', '/capacity', '/events', '/apply'];
/** What the first line of a story that is whole tells of. */
const INTENT = 'asks to apply';
const STRAY = /dv-[a-z2-7]+-stray/;
const TABS = ['rollout', 'revisions', 'load', 'cost', 'spec'];

let rig: Rig;
let browser: Browser | undefined;
let visitor: Visitor;
let operator: Operator;

beforeAll(async () => {
  browser = await openBrowser();
  if (!browser) return;
  rig = await startRig('page', { env: { VAST_PACE_SCALE: '0.05', DAVIT_INVENTORY_EVERY: '2s' } });
  const folder = path.join(rig.system.dir, 'screenshots');
  visitor = await Visitor.come(browser, { url: urlOf(rig.system, 'spec-api'), folder });
  operator = new Operator(visitor);
}, LIFE_TIMEOUT_MS + INSTALL_MS);
afterAll(async () => {
  await browser?.close();
  await (rig as Rig | undefined)?.system.stop();
}, LIFE_TIMEOUT_MS);

/** Of a serverless deployment, brought up while other rules are shown. */
let candidate: Promise<void> | undefined;
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
    await visitor.whileRefused(async () => {
      await operator.plan(wrong);
      await operator.sees('It was not accepted');
    });
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
    await rentStray(rig.system, rig.client);
    candidate = bringCandidate();
    // Whoever awaits it hears of it; until then it is nobody's fault.
    candidate.catch(() => undefined);
  });

  rule(
    'moves as a whole to a past instant, marks it, changes nothing from there, and comes back with one press',
    async () => {
      const ill = (await operator.events()).find(({ type }) => type === 'davit.runtime.became-unready');
      if (!ill) throw new Error('the log tells of no replica that became ill');
      await visitor.goTo(`/deployments/${KEY}?at=${ill.position - 1}`);
      await operator.sees('The past.');
      await operator.seesReplica('qwen3-8b-1-0-1', 'serving');
      await operator.seesReplica('qwen3-8b-1-1-1', 'serving');
      expect(await operator.isOff('Delete …')).toBe(true);
      await visitor.look('past');
      await operator.press('Back to live');
      await operator.seesReplica(/qwen3-8b-1-[01]-2/, 'serving');
      expect(visitor.parameter('at')).toBeNull();
    },
  );

  rule('slides back with the pointer, and by the keyboard alone', async () => {
    await visitor.goTo('/');
    await operator.sees('available');
    const slider = visitor.page.getByRole('slider', { name: 'Instant that the page shows' });
    await slider.click({ position: { x: 2, y: 8 } });
    await operator.sees('The past.');
    // When the log began, nothing served.
    await visitor.page.getByText('available', { exact: true }).first().waitFor({ state: 'detached' });
    await operator.press('Back to live');
    await operator.sees('available');
    await slider.focus();
    await slider.press('PageDown');
    await operator.sees('The past.');
    expect(visitor.parameter('at')).toMatch(/^\d{4}-/);
    await operator.press('Back to live');
  });

  rule('explains a replica down to the intent, under an address of its own, by the keyboard alone', async () => {
    await visitor.goTo('/');
    await operator.sees('Live · position');
    await visitor.page.keyboard.press('Tab');
    await operator.standsOn('Skip to content');
    await operator.tabTo(KEY);
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('heading', { level: 1, name: KEY }).waitFor();
    await operator.seesReplica(/qwen3-8b-1-[01]-2/, 'serving');
    await operator.tabTo(/^qwen3-8b-1-[01]-2$/);
    await visitor.page.keyboard.press('Enter');
    const story = visitor.page.getByRole('dialog');
    await story.getByText('asks to apply').waitFor();
    await story.getByText('Every step back to the intent is in the log.').waitFor();
    expect(await visitor.inspect('explain')).toEqual([]);
    await visitor.page.reload();
    await story.getByText('asks to apply').waitFor();
    await visitor.page.keyboard.press('Escape');
    await story.waitFor({ state: 'hidden' });
  });

  rule(
    'shows what is rented and has no owner, its price or that it is unknown, and why, and nothing of it before it was found',
    async () => {
      await visitor.goTo('/');
      const stray = visitor.page.getByRole('list', { name: 'Orphans' }).getByRole('listitem');
      await stray
        .filter({ hasText: STRAY })
        .filter({ hasText: /\$[\d.]+\/h|price unknown/ })
        .waitFor();
      await operator.sees('the log never asked for it');
      await visitor.look('orphan');
      await operator.isTold(stray.getByRole('link'), 'the log never asked for it');
      const found = (await operator.events()).find(({ type }) => type === 'davit.resource.orphan-found');
      if (!found) throw new Error('the log tells of no orphan');
      await visitor.goTo(`/?at=${found.position - 1}`);
      await operator.sees('Nothing runs without an owner');
    },
  );

  rule('tells why of deployments, costs, routes and waits, down to the intent', async () => {
    const link = (name: string | RegExp) => visitor.page.getByRole('link', { name, exact: true }).first();
    await visitor.goTo(`/deployments/${KEY}`);
    await operator.isTold(link('Why is it so?'), INTENT);
    await operator.isTold(link(/\/h$/), INTENT);
    await visitor.goTo('/routes');
    await operator.isTold(link(KEY), INTENT);
    const waits = (await operator.events()).find(({ type }) => type === 'davit.resource.launch-accepted');
    if (!waits) throw new Error('the log tells of no launch');
    await visitor.goTo(`/?at=${waits.position}`);
    await operator.isTold(
      visitor.page.getByRole('list', { name: 'Waiting replicas' }).getByRole('link').first(),
      INTENT,
    );
  });

  rule('streams events, filters them, and holds still while it is paused', async () => {
    await visitor.goTo('/events');
    await visitor.page.getByRole('textbox', { name: 'Text' }).fill('qwen3-8b-1-1-1');
    await visitor.page.getByRole('cell', { name: 'replica.ready', exact: true }).first().waitFor();
    await visitor.page
      .getByRole('cell', { name: 'deployment.declared', exact: true })
      .first()
      .waitFor({ state: 'detached' });
    await visitor.look('events');
    await operator.press('Pause');
    await operator.sees('paused, ');
    await operator.press('Resume');
  });

  rule('has no serious fault that axe finds, light or dark, and fits a telephone, in every view', async () => {
    const tabs = TABS.map((tab) => `/deployments/${KEY}?tab=${tab}`);
    for (const place of [...VIEWS, `/deployments/${KEY}`, ...tabs, '/?at=20', '/nowhere']) {
      await visitor.goTo(place);
      await visitor.page.getByRole('heading', { level: 1 }).waitFor();
      await visitor.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      const name = place.replaceAll(/[^a-z0-9]+/g, '-');
      expect(await visitor.inspect(name)).toEqual([]);
      await visitor.withWidth(390, async () => {
        await visitor.look(`${name}-narrow`, ['light']);
        expect(await visitor.overflow()).toBe(0);
      });
    }
  });

  rule('tells what it cannot show, and why', async () => {
    await visitor.whileRefused(async () => {
      await visitor.goTo('/?at=yesterday');
      await operator.sees('This could not be read');
      expect(await visitor.inspect('unreadable')).toEqual([]);
      await visitor.goTo('/deployments/default/nobody');
      await operator.sees('There is no such deployment');
      expect(await visitor.inspect('nobody')).toEqual([]);
    });
  });

  rule('shows what a candidate has proved, and takes the word that its rollout waits for', async () => {
    await candidate;
    await visitor.goTo(`/deployments/${SERVERLESS_KEY}?tab=rollout`);
    await visitor.page.getByRole('button', { name: 'Approve …' }).waitFor({ timeout: LIFE_TIMEOUT_MS / 2 });
    expect(await visitor.inspect('rollout')).toEqual([]);
    await operator.isTold(visitor.page.getByRole('link', { name: 'Why?' }).first(), INTENT);
    await operator.press('Approve …');
    await visitor.page.getByRole('textbox', { name: 'Reason' }).fill('canary and baseline looked at');
    await visitor.look('approve');
    await operator.press('Approve');
    // It goes on; how it is judged then, others hold to account.
    await visitor.page.getByRole('button', { name: 'Approve …' }).waitFor({ state: 'detached' });
    await visitor.look('approved');
  });

  rule('says so when the server is away, keeps what it last knew, and follows again by itself', async () => {
    await visitor.goTo('/');
    await operator.sees('available');
    await visitor.whileRefused(async () => {
      await rig.system.stopService('spec-api');
      await operator.sees('Disconnected · as of position');
      await operator.sees(KEY);
      await visitor.look('disconnected');
      await rig.system.restartService('spec-api');
      await operator.sees('Live · position');
    });
  });

  rule('deletes only what was named, shows first what goes, and then until nothing is left', async () => {
    await visitor.goTo(`/deployments/${KEY}`);
    await operator.press('Delete …');
    await operator.sees('Nothing has been changed yet');
    await operator.sees(/targets? (is|are) withdrawn/);
    await operator.sees('2 to be proven gone');
    await operator.sees(/an hour, until proven gone/);
    expect(await visitor.inspect('delete')).toEqual([]);
    const verb = visitor.page.getByRole('button', { name: 'Delete', exact: true });
    expect(await verb.isEnabled()).toBe(false);
    expect((await rig.client.deployment('default', 'qwen3-8b'))?.status).toBe('active');
    await visitor.page.getByRole('textbox', { name: 'Write qwen3-8b to go on' }).fill('qwen3-8b');
    await verb.click();
    await visitor.page
      .getByText('deleted', { exact: true })
      .first()
      .waitFor({ timeout: LIFE_TIMEOUT_MS / 2 });
    await visitor.look('deleted');
    expect((await rig.client.deployments()).map(({ name }) => name)).toEqual([SERVERLESS.metadata.name]);
  });

  rule('never gave the browser a reason to complain', async () => {
    expect(visitor.complaints).toEqual([]);
  });
});

/** Serves, and has a new revision prove itself: as far as it goes without a word. */
async function bringCandidate(): Promise<void> {
  await rig.client.apply({ deployment: SERVERLESS });
  await waitFor('it serves, and its workers are at rest', atRest, { timeoutMs: LIFE_TIMEOUT_MS / 2, everyMs: 500 });
  await rig.client.apply({ deployment: withArgument(SERVERLESS, '--max-num-seqs 64') });
}

async function atRest(): Promise<true | undefined> {
  const view = await rig.client.deployment('default', SERVERLESS.metadata.name);
  if (view?.activeRevision !== 1) return undefined;
  const { workers } = await rig.world.vastTruth();
  return workers.length >= 2 && workers.every(({ status }) => ['idle', 'stopped'].includes(status)) ? true : undefined;
}
