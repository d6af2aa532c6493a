import { type Endpoint, type Template, type Worker, type Workergroup } from './entities.js';
import { parseSearch } from './offers.js';

/** The public rows. Several carry live secrets, as the real ones do. */

export const endpointRow = (endpoint: Endpoint): object => ({
  id: endpoint.id,
  endpoint_name: endpoint.endpoint_name,
  endpoint_state: endpoint.endpoint_state,
  ...endpoint.policy,
  user_id: 456,
  created_at: endpoint.createdAtMs / 1000,
  auto_delete_in_seconds: null,
  auto_delete_due_24h: false,
  api_key: endpoint.api_key,
});

export const groupRow = (group: Workergroup, endpointName: string): object => ({
  ...group.inert,
  id: group.id,
  endpoint_id: group.endpointId,
  endpoint_name: endpointName,
  template_id: group.template.id,
  template_hash: group.template.hash,
  search_query: parseSearch(group.searchText),
  launch_args: group.launchArgs,
  gpu_ram: group.gpuRamGb,
  api_key: group.api_key,
  created_at: group.createdAtMs / 1000,
  user_id: 456,
});

export const templateRow = (template: Template): object => ({
  ...template.fields,
  extra_filters: JSON.stringify(template.fields['extra_filters'] ?? {}),
  id: template.id,
  hash_id: template.hash,
  creator_id: 456,
  created_at: template.createdAtMs / 1000,
});

export function workerRow(worker: Worker): object {
  const running = worker.status === 'idle' ? 1 : 0;
  return {
    id: worker.id,
    status: worker.status,
    cur_load: 0,
    cur_load_rolling_avg: 0,
    new_load: 0,
    cur_perf: worker.perf * running,
    measured_perf: worker.loadedAtMs === null ? 42.5 : worker.perf,
    perf: (worker.loadedAtMs === null ? 42.5 : worker.perf) * 0.99,
    dlperf: 42.5,
    reliability: 0.99,
    reqs_working: 0,
    disk_usage: 21.5,
    loaded_at: worker.loadedAtMs === null ? null : worker.loadedAtMs / 1000,
    started_at: worker.startedAtMs / 1000,
  };
}

export function instanceRow(worker: Worker, port: number): object {
  const { machine, template } = worker;
  const text = (name: string): unknown => template.fields[name] ?? '';
  const stopped = worker.status === 'stopped' || worker.status === 'stopping';
  return {
    id: worker.id,
    actual_status: stopped ? 'stopped' : worker.loadedAtMs === null ? 'loading' : 'running',
    intended_status: stopped ? 'stopped' : 'running',
    cur_state: stopped ? 'stopped' : 'running',
    next_state: stopped ? 'stopped' : 'running',
    status_msg: null,
    label: `workergroup-${worker.groupId}`,
    template_id: template.id,
    template_hash_id: template.hash,
    template_name: text('name'),
    image_uuid: text('image'),
    image_runtype: template.fields['runtype'] ?? 'args',
    image_args: text('args_str'),
    onstart: text('onstart'),
    extra_env: text('env'),
    jupyter_token: worker.jupyterToken,
    start_date: worker.startedAtMs / 1000,
    end_date: null,
    machine_id: worker.id + 1,
    host_id: worker.id + 2,
    gpu_name: machine?.accelerator ?? null,
    num_gpus: machine?.gpuCount ?? 1,
    dph_base: machine?.pricePerHour ?? null,
    dph_total: machine?.pricePerHour ?? null,
    is_bid: false,
    public_ipaddr: machine?.address.host ?? null,
    ports: machine ? { [`${port}/tcp`]: [{ HostIp: '0.0.0.0', HostPort: String(machine.address.port) }] } : {},
    disk_usage: 21.5,
  };
}
