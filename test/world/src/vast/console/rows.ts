import { type JsonObject } from '../../http/wire.js';
import { DLPERF } from '../engine/engine.js';
import { type Endpoint, type Template, type Worker, type Workergroup } from '../entities.js';
import { parseSearch } from '../offers.js';
import { type VastOptions } from '../options.js';
import { timeOf } from '../parts.js';
import { ratesOf } from '../worker/meter.js';

/** The account's own number. */
export const USER_ID = 456;
const VENDOR_ID = 1;
const RELIABILITY = 0.99;
const DISK_USAGE_GB = 21.5;
/** The port inside a container on which the worker's own server listens. */
const WORKER_PORT = '3000/tcp';

/** The public rows. Several carry live secrets, as the real ones do. */

export const endpointRow = (endpoint: Endpoint, options: VastOptions): JsonObject => ({
  id: endpoint.id,
  endpoint_name: endpoint.endpoint_name,
  endpoint_state: endpoint.endpoint_state,
  ...endpoint.policy,
  user_id: USER_ID,
  created_at: timeOf(options, endpoint.createdAtMs),
  auto_delete_in_seconds: null,
  auto_delete_due_24h: false,
  api_key: endpoint.api_key,
});

export const groupRow = (group: Workergroup, endpointName: string, options: VastOptions): JsonObject => ({
  ...group.inert,
  ...group.dockerLogin,
  id: group.id,
  endpoint_id: group.endpointId,
  endpoint_name: endpointName,
  template_id: group.template.id,
  template_hash: group.template.hash,
  search_query: parseSearch(group.searchText),
  launch_args: group.launchArgs,
  gpu_ram: group.gpuRamGb,
  api_key: group.api_key,
  created_at: timeOf(options, group.createdAtMs),
  user_id: USER_ID,
});

export const templateRow = (template: Template, options: VastOptions): JsonObject => ({
  ...template.fields,
  extra_filters: JSON.stringify(template.fields['extra_filters'] ?? {}),
  id: template.id,
  hash_id: template.hash,
  creator_id: template.isPublic ? VENDOR_ID : USER_ID,
  private: template.fields['private'] ?? !template.isPublic,
  created_at: timeOf(options, template.createdAtMs),
});

export interface WorkerView {
  readonly worker: Worker;
  /** Throughput at present, load units a second. */
  readonly perf: number;
  readonly load: number;
  /** The list of a workergroup hides the measurement until a worker was ready; that of an endpoint shows a placeholder. */
  readonly hidesUnmeasured: boolean;
  readonly loadedAtOffsetMs: number;
}

export function workerRow({ worker, perf, load, hidesUnmeasured, loadedAtOffsetMs }: WorkerView): JsonObject {
  const measured = worker.measured ?? DLPERF;
  const queue = worker.status === 'idle' ? worker.server?.queue : undefined;
  return {
    id: worker.id,
    status: worker.status,
    cur_load: load,
    cur_load_rolling_avg: load,
    new_load: 0,
    cur_perf: queue && queue.running > 0 ? perf : 0,
    ...(worker.measured === null && hidesUnmeasured ? {} : { measured_perf: measured }),
    perf: measured * RELIABILITY,
    dlperf: DLPERF,
    reliability: RELIABILITY,
    reqs_working: queue?.running ?? 0,
    disk_usage: DISK_USAGE_GB,
    // The vendor's client reads a number here, always.
    loaded_at: worker.loadedAtMs === null ? 0 : (worker.loadedAtMs + loadedAtOffsetMs) / 1000,
    started_at: worker.startedAtMs / 1000,
  };
}

export function instanceRow(worker: Worker, modelPort: number): JsonObject {
  const { machine, shownTemplate, template } = worker;
  const text = (name: string): unknown => shownTemplate?.fields[name] ?? '';
  const state = worker.status === 'stopped' || worker.status === 'stopping' ? 'stopped' : 'running';
  return {
    id: worker.id,
    actual_status: actualStatus(worker),
    intended_status: state,
    cur_state: state,
    next_state: state,
    status_msg: null,
    label: `workergroup-${worker.groupId}`,
    template_id: shownTemplate?.id ?? null,
    template_hash_id: shownTemplate?.hash ?? null,
    template_name: shownTemplate ? text('name') : null,
    // The image is what the host runs, whatever the record says of the template.
    image_uuid: imageOf(template),
    image_runtype: template.fields['runtype'] ?? 'args',
    image_args: text('args_str'),
    onstart: text('onstart'),
    extra_env: `${String(text('env'))} -e MASTER_TOKEN=${worker.masterToken}`,
    jupyter_token: worker.jupyterToken,
    start_date: worker.startedAtMs / 1000,
    end_date: null,
    machine_id: worker.id + 1,
    host_id: worker.id + 2,
    gpu_name: machine?.accelerator ?? null,
    num_gpus: machine?.gpuCount ?? 1,
    ...pricesOf(worker),
    is_bid: false,
    public_ipaddr: machine?.address.host ?? null,
    ports: portsOf(worker, modelPort),
    disk_usage: DISK_USAGE_GB,
  };
}

function pricesOf(worker: Worker): JsonObject {
  const { gpuPerHour, diskPerHour } = ratesOf(worker);
  if (!worker.machine) return { dph_base: null, dph_total: null };
  return { dph_base: gpuPerHour, dph_total: gpuPerHour + diskPerHour };
}

function portsOf({ machine, server }: Worker, modelPort: number): JsonObject {
  const open = (port: number): object[] => [{ HostIp: '0.0.0.0', HostPort: String(port) }];
  return {
    ...(machine ? { [`${modelPort}/tcp`]: open(machine.address.port) } : {}),
    ...(server ? { [WORKER_PORT]: open(server.address.port) } : {}),
  };
}

function imageOf({ fields }: Template): string {
  const image = typeof fields['image'] === 'string' ? fields['image'] : '';
  return typeof fields['tag'] === 'string' && fields['tag'] !== '' ? `${image}:${fields['tag']}` : image;
}

function actualStatus({ status, loadedAtMs }: Worker): string {
  switch (status) {
    case 'stopped':
    case 'stopping':
      return 'stopped';
    case 'created':
      return 'created';
    case 'rebooting':
    case 'update_rebooting':
      return 'rebooting';
    default:
      return loadedAtMs === null ? 'loading' : 'running';
  }
}
