import { describe, expect, it } from '@jest/globals';
import { seal } from '../seal.js';
import { findServer, type ScriptVariables } from './run-script.js';

const NOTHING: ScriptVariables = { envs: {}, secrets: {}, salt: 's' };
const config = (script: string, variables: Partial<ScriptVariables> = {}): unknown =>
  findServer(script, { ...NOTHING, ...variables })?.config;

describe('what a launch tells of its server', () => {
  it.each([
    ['docker:vllm/vllm-openai:v0.6.6.post1', 'vllm-v0', '0.6.6'],
    ['docker:vllm/vllm-openai:v0.10.1', 'vllm-transition', '0.10.1'],
    ['docker:vllm/vllm-openai:v0.27.1', 'vllm-newest', '0.27.1'],
    ['registry:5000/mine/vllm-openai:0.9.2-cu128', 'vllm-transition', '0.9.2'],
    ['docker:vllm/vllm-openai:latest', 'vllm-newest', '0.11.0'],
    ['docker:me/server:0.1.2', 'vllm-newest', '0.11.0'],
    [null, 'vllm-newest', '0.11.0'],
  ])('the image %s of vLLM is %s %s', (image, profile, version) => {
    expect(config('vllm serve a/b', { image })).toMatchObject({ profile, version });
  });

  it('the pinned package, where nothing but the set-up says it', () => {
    const setup = '"$HOME/e"/bin/pip install --no-input vllm==0.10.0\n';
    expect(config('vllm serve a/b', { image: null, setup })).toMatchObject({
      profile: 'vllm-transition',
      version: '0.10.0',
    });
    const sgLang = "pip install 'sglang[all]==0.5.2'";
    expect(config('python3 -m sglang.launch_server --model-path a/b', { setup: sgLang })).toMatchObject({
      version: '0.5.2',
    });
  });

  it('the front end in Rust and the development mode, by their variables', () => {
    const envs = { VLLM_USE_RUST_FRONTEND: '1', VLLM_SERVER_DEV_MODE: '1' };
    expect(config('vllm serve a/b', { envs })).toMatchObject({ profile: 'vllm-rust', devMode: true });
    expect(config('export VLLM_SERVER_DEV_MODE=1\nvllm serve a/b')).toMatchObject({ devMode: true });
    expect(config('VLLM_USE_RUST_FRONTEND=1 vllm serve a/b')).toMatchObject({ profile: 'vllm-rust', devMode: false });
  });

  it('the options of vLLM', () => {
    const script =
      'vllm serve a/b --served-model-name x y --data-parallel-size 2 --api-server-count=4 --max-model-len 4096 ' +
      '--disable-log-stats --lora-modules sql=/adapters/sql chat=/adapters/chat';
    expect(config(script)).toMatchObject({
      ...{
        root: 'a/b',
        servedModelNames: ['x', 'y'],
        dataParallel: 2,
        apiServers: 4,
        maxModelLen: 4096,
        metrics: false,
      },
      adapters: [
        { name: 'sql', path: '/adapters/sql' },
        { name: 'chat', path: '/adapters/chat' },
      ],
    });
  });

  it.each([
    [
      'docker:lmsysorg/sglang:v0.5.4',
      'python3 -m sglang.launch_server --model-path a/b --served-model-name x --context-length 4096 --enable-metrics',
      { profile: 'sglang', version: '0.5.4', root: 'a/b', servedModelNames: ['x'], maxModelLen: 4096, metrics: true },
      30_000,
    ],
    [
      'docker:ghcr.io/huggingface/text-generation-inference:3.3.5',
      'text-generation-launcher --model-id a/b --max-total-tokens 4096',
      { profile: 'tgi', version: '3.3.5', root: 'a/b', servedModelNames: ['a/b'], maxModelLen: 4096, metrics: true },
      3000,
    ],
    [
      'docker:ghcr.io/ggml-org/llama.cpp:server-cuda-b6700',
      '/app/llama-server -hf a/b --alias x -c 4096',
      {
        profile: 'llamacpp',
        version: 'b6700',
        root: 'a/b',
        servedModelNames: ['x'],
        maxModelLen: 4096,
        metrics: false,
      },
      8080,
    ],
    [
      'docker:me/server:1',
      'openai-server --model a/b --served-model-name x',
      { profile: 'openai', root: 'a/b', servedModelNames: ['x'] },
      8000,
    ],
  ])('%s is told by its command', (image, script, expected, port) => {
    const server = findServer(script, { ...NOTHING, image });
    expect(server?.config).toMatchObject(expected);
    expect(server?.port).toBe(port);
    expect(findServer(`${script} --port 9000`, { ...NOTHING, image })?.port).toBe(9000);
  });

  it('the key, from an option or from the variable that the program reads', () => {
    const secrets = { MY_KEY: seal('s', 'k1'), LLAMA_API_KEY: seal('s', 'k2') };
    const sealed = (key: string): object => ({ apiKey: { salt: 's', sealed: seal('s', key) } });
    expect(config('text-generation-launcher --model-id a/b --api-key "$MY_KEY"', { secrets })).toMatchObject(
      sealed('k1'),
    );
    expect(config('llama-server -hf a/b', { secrets })).toMatchObject(sealed('k2'));
    expect(config('vllm serve a/b', { secrets })).toMatchObject({ apiKey: null });
    expect(config('vllm serve a/b --api-key plain')).toMatchObject(sealed('plain'));
  });

  it('nothing, when no program that is known serves a model', () => {
    expect(findServer('nvidia-smi', NOTHING)).toBeNull();
  });
});
