import { describe, expect, test } from '@jest/globals';
import type { TemplateContent } from '@davit/contracts';
import { WorldRig } from '../../testing/world-rig.js';
import { bodyOf, candidateOf } from './candidate.js';
import { differingFields, imageOf, sealed, splitImage, variableNames } from './content.js';
import { ensureTemplate, type TemplateOrder, verifyTemplate } from './create.js';

const CONTENT: TemplateContent = {
  image: 'vllm/vllm-openai:v0.11.0',
  env: { MODEL: 'Qwen/Qwen3-8B', FLAGS: '--max-model-len 8192 --name "x"' },
  ports: [8000],
  onStart: null,
  args: null,
  diskGiB: 64,
};
const SECRETS = [
  { name: 'HF_TOKEN', from: { env: 'DAVIT_HF_TOKEN' } },
  { name: 'VLLM_API_KEY', from: { env: 'VAST_API_KEY' } },
];
const VALUE = 'canary-secret-of-the-model-registry';

function orderIn(rig: WorldRig, changes: Partial<TemplateOrder> = {}): TemplateOrder {
  rig.environment['DAVIT_HF_TOKEN'] = VALUE;
  rig.environment['VAST_API_KEY'] = 'the account key';
  return {
    purpose: 'dv-test',
    content: CONTENT,
    secrets: SECRETS,
    knownIds: [],
    read: (name) => rig.environment[name],
    holdsLease: () => Promise.resolve(true),
    ...changes,
  };
}

const make = (rig: WorldRig, order: TemplateOrder) => rig.drive(ensureTemplate(rig.newClient(), order));
const creations = (rig: WorldRig): number => rig.routes().filter((route) => route === 'POST /api/v0/template/').length;

describe('the template of a candidate', () => {
  test('has a name of its own for each content, and names its variables without their values', () => {
    const first = candidateOf('dv-test', CONTENT, SECRETS);
    expect(first.name).toBe(`dv-test-${first.digest.slice(0, 12)}`);
    expect(first.envNames).toEqual(['FLAGS', 'HF_TOKEN', 'MODEL']);
    const others = [
      candidateOf('dv-test', { ...CONTENT, image: 'vllm/vllm-openai:v0.12.0' }, SECRETS),
      candidateOf('dv-test', { ...CONTENT, env: {} }, SECRETS),
      candidateOf('dv-test', CONTENT, []),
      candidateOf('dv-test', { ...CONTENT, diskGiB: 65 }, SECRETS),
    ];
    expect(new Set([first, ...others].map(({ name }) => name)).size).toBe(5);
    expect(candidateOf('dv-test', { ...CONTENT, env: { ...CONTENT.env } }, SECRETS)).toEqual(first);
  });

  test('is made once, with its secrets in the request alone, and is known by id and hash', async () => {
    const rig = new WorldRig();
    const made = await make(rig, orderIn(rig));
    expect(made).toMatchObject({ outcome: 'made', image: CONTENT.image, hash: expect.any(String) as unknown });
    expect(await make(rig, orderIn(rig))).toEqual(made);
    expect(creations(rig)).toBe(1);
    const sent = rig.requests.find(({ method }) => method === 'POST')?.body ?? '';
    expect(sent).toContain(VALUE);
    expect(sent).not.toContain('the account key');
    expect(JSON.stringify(made)).not.toContain(VALUE);
  });

  test('whose creation was not answered is found by its name, and not made twice', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'vast-console', verb: 'POST /api/v0/template/', effect: { kind: 'lost-reply' } });
    expect((await make(rig, orderIn(rig))).outcome).toBe('made');
    expect(creations(rig)).toBe(1);
    rig.world.faults.add({ service: 'vast-console', verb: 'POST /api/v0/template/', effect: { kind: 'lost-request' } });
    const other = orderIn(rig, { purpose: 'dv-other' });
    expect((await make(rig, other)).outcome).toBe('unknown');
    expect((await make(rig, other)).outcome).toBe('made');
  });

  test('that turns out to be one in use, or to hold something else, is refused', async () => {
    const rig = new WorldRig();
    const made = await make(rig, orderIn(rig));
    const id = made.outcome === 'made' ? made.id : 0;
    expect(await make(rig, orderIn(rig, { knownIds: [id] }))).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('in use') as unknown,
    });
    rig.environment['DAVIT_HF_TOKEN'] = 'another value';
    const again = { ...orderIn(rig), read: (name: string) => (name === 'DAVIT_HF_TOKEN' ? 'another value' : '') };
    expect(await make(rig, again)).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('holds another env') as unknown,
    });
  });

  test('is not made without its secrets, its key, or the lease', async () => {
    const rig = new WorldRig();
    const noSecret = await make(rig, { ...orderIn(rig), read: () => undefined });
    expect(noSecret).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('DAVIT_HF_TOKEN') as unknown,
    });
    const noLease = await make(rig, { ...orderIn(rig), holdsLease: () => Promise.resolve(false) });
    expect(noLease.outcome).toBe('unknown');
    const keyless = new WorldRig({ settings: { templateKey: '' } });
    expect(await make(keyless, orderIn(keyless))).toMatchObject({
      outcome: 'refused',
      class: 'auth',
      detail: expect.stringContaining('VAST_TEMPLATE_API_KEY') as unknown,
    });
    expect(creations(rig) + creations(keyless)).toBe(0);
  });

  test('is as it was recorded, or edited, or gone, or not known', async () => {
    const rig = new WorldRig();
    const made = await make(rig, orderIn(rig));
    if (made.outcome !== 'made') throw new Error('not made');
    const check = async () => (await rig.drive(verifyTemplate(rig.newClient(), made))).outcome;
    expect(await check()).toBe('as-recorded');
    rig.world.vast.store.putTemplate({ name: 'edited', image: 'other' }, made.id);
    expect(await check()).toBe('changed');
    rig.world.vast.store.templates.delete(made.id);
    expect(await check()).toBe('gone');
    rig.world.faults.add({ service: 'vast-console', effect: { kind: 'status', status: 500 } });
    expect(await check()).toBe('unknown');
  });
});

describe('contents', () => {
  test('are the same whatever order and quotes the service gives their flags back in', () => {
    const resolved = bodyOf('n', CONTENT, [], () => undefined);
    if (!resolved.ok) throw new Error(resolved.detail);
    const { env } = resolved.body.reveal();
    expect(variableNames(env)).toEqual(['FLAGS', 'MODEL']);
    const stored = `-p 8000:8000   -e MODEL='Qwen/Qwen3-8B' -e FLAGS="--max-model-len 8192 --name \\"x\\""`;
    const images = { image: 'vllm/vllm-openai:v0.11.0' };
    expect(differingFields(sealed({ ...images, env }), sealed({ ...images, env: stored }))).toEqual([]);
    expect(differingFields(sealed({ ...images, env }), sealed({ image: 'x', env: '' }))).toEqual(['image', 'env']);
  });

  test.each([
    ['vllm/vllm-openai:v1', 'vllm/vllm-openai', 'v1'],
    ['vllm/vllm-openai', 'vllm/vllm-openai', 'latest'],
    ['registry:5000/a/b', 'registry:5000/a/b', 'latest'],
    ['a/b@sha256:00', 'a/b@sha256:00', ''],
  ])('the image %s is taken apart and put together again', (whole, image, tag) => {
    expect(splitImage(whole)).toEqual({ image, tag });
    expect(imageOf(image, tag)).toBe(tag === 'latest' ? `${whole}:latest` : whole);
  });

  test('a value of several lines is refused without being shown', () => {
    const resolved = bodyOf('n', { ...CONTENT, env: { KEY: 'a\nb' } }, [], () => undefined);
    expect(resolved).toMatchObject({ ok: false, detail: expect.stringMatching(/variable KEY/) as unknown });
  });
});
