import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Tell } from '../results.js';
import { SERVERLESS_PROGRAM } from './serverless-client.js';
import { type Vendor } from './vendor.js';

const NAME = 'davit-accept';
const READY_WITHIN_MS = 60_000;

const created = z.object({ success: z.literal(true), result: z.int() });
const rows = z.array(z.object({ id: z.int(), endpoint_name: z.string(), cold_workers: z.int(), max_workers: z.int() }));
const groups = z.array(z.object({ id: z.int(), endpoint_id: z.int(), template_hash: z.string() }));
const workers = z.array(z.object({ id: z.int(), status: z.string(), measured_perf: z.number() }));
const logs = z.object({ info0: z.string(), info1: z.string(), trace: z.string(), debug: z.string() });
const templates = z.object({ id: z.int(), hash_id: z.string() });

/** Goes through the life of an endpoint with the vendor's command line and its serverless client. */
export async function liveOnce(vendor: Vendor, templateHash: string, tell: Tell): Promise<void> {
  const endpoint = await createEndpoint(vendor, tell);
  const group = await createGroup(vendor, templateHash, tell);
  await untilIdle(vendor, endpoint, tell);
  await requests(vendor, group, tell);
  await look(vendor, endpoint, group, tell);
  await roll(vendor, group, tell);
  await remove(vendor, endpoint, group, tell);
}

async function createEndpoint(vendor: Vendor, tell: Tell): Promise<number> {
  const policy = ['--min_load', '1', '--cold_workers', '1', '--max_workers', '2'];
  const made = created.parse(await vendor.json('create', 'endpoint', '--endpoint_name', NAME, ...policy));
  tell('create endpoint gives its id', true, made);
  const listed = rows.parse(await vendor.json('show', 'endpoints'));
  tell('show endpoints lists it', listed.length === 1 && listed[0]?.id === made.result, listed);
  await vendor.cli('update', 'endpoint', String(made.result), '--max_workers', '3');
  const [after] = rows.parse(await vendor.json('show', 'endpoints'));
  tell('update endpoint changes what is given', after?.max_workers === 3, after);
  tell('update endpoint keeps what is sent as null', after?.cold_workers === 1, after);
  return made.result;
}

async function createGroup(vendor: Vendor, templateHash: string, tell: Tell): Promise<number> {
  const search = ['--search_params', 'gpu_ram>=20'];
  await vendor.cli('create', 'workergroup', '--endpoint_name', NAME, '--template_hash', templateHash, ...search);
  const [group] = groups.parse(await vendor.json('show', 'workergroups'));
  tell('create workergroup takes a template by its hash', group?.template_hash === templateHash, group?.id);
  return group?.id ?? 0;
}

async function untilIdle(vendor: Vendor, endpoint: number, tell: Tell): Promise<void> {
  const startedMs = Date.now();
  let seen = workers.parse([]);
  while (!seen.some(({ status }) => status === 'idle') && Date.now() - startedMs < READY_WITHIN_MS) {
    await pause(1_000);
    seen = workers.parse(await vendor.json('get', 'endpt-workers', String(endpoint)));
  }
  tell('get endpt-workers shows a worker become idle, with its throughput', seen[0]?.status === 'idle', seen);
}

async function requests(vendor: Vendor, group: number, tell: Tell): Promise<void> {
  const told = z
    .object({
      group: z.int(),
      answers: z.array(z.object({ ok: z.boolean(), model: z.string().nullish() })),
      workers: z.array(z.object({ status: z.string(), loaded: z.boolean() })),
      update: z.object({ success: z.boolean() }),
    })
    .parse(await vendor.python(SERVERLESS_PROGRAM, { ENDPOINT: NAME, WORKERGROUP: String(group) }));
  tell('the serverless client finds endpoint and workergroup', told.group === group, told.group);
  const isAnswered = told.answers.length === 2 && told.answers.every(({ ok, model }) => ok && model === 'qwen3-8b');
  tell('it routes, and workers answer to what was signed', isAnswered, told.answers);
  tell(
    'it reads the workers',
    told.workers.some(({ status, loaded }) => status === 'idle' && loaded),
    told.workers,
  );
  tell('it triggers an update', told.update.success, told.update);
}

async function look(vendor: Vendor, endpoint: number, group: number, tell: Tell): Promise<void> {
  for (const [command, id] of [
    ['endpt-logs', endpoint],
    ['wrkgrp-logs', group],
  ] as const) {
    const found = logs.safeParse(await vendor.json('get', command, String(id)));
    tell(
      `get ${command} has four levels`,
      found.success,
      found.success ? Object.keys(found.data) : found.error.message,
    );
  }
}

async function roll(vendor: Vendor, group: number, tell: Tell): Promise<void> {
  const text = await vendor.cli(
    ...['create', 'template', '--name', `${NAME}-next`, '--image', 'vllm/vllm-openai', '--image_tag', 'v0.11.0'],
    ...['--env', '-p 8000:8000 -e VLLM_MODEL=a/b'],
  );
  const made = templates.parse(JSON.parse((/\{.*\}/s.exec(text)?.[0] ?? '').replaceAll("'", '"')));
  tell('create template gives id and hash', true, made);
  const change = ['--template_id', String(made.id), '--endpoint_name', NAME, '--search_params', 'gpu_ram>=20'];
  await vendor.cli('update', 'workergroup', String(group), ...change);
  const [row] = groups.parse(await vendor.json('show', 'workergroups'));
  tell('update workergroup takes the template', row?.template_hash === made.hash_id, row?.template_hash);
  const updated = await vendor.cli('update', 'workers', String(group));
  tell('update workers is accepted', /workers_to_update|success/i.test(updated), updated.trim());
  const cancelled = await vendor.cli('update', 'workers', String(group), '--cancel');
  tell('update workers --cancel is accepted', /cancel|success/i.test(cancelled), cancelled.trim());
}

async function remove(vendor: Vendor, endpoint: number, group: number, tell: Tell): Promise<void> {
  await vendor.cli('delete', 'workergroup', String(group));
  await vendor.cli('delete', 'endpoint', String(endpoint));
  const left = groups.parse(await vendor.json('show', 'workergroups'));
  tell('delete workergroup and delete endpoint leave none', left.length === 0, left.length);
}
