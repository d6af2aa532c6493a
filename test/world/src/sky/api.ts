import { type SkyContext } from './context.js';
import { isActive, type SkyRequest } from './state.js';
import { Aborted, cancelledRequest, SkyError, UsageError, yellow } from './text.js';

const SERVER_URL = 'http://127.0.0.1:46580';
const API_VERSION = '37';

/** `sky api status`: active requests, or with `-a` all. */
export function apiStatus({ args, backend, out }: SkyContext): void {
  const limit = args.get('--limit') ?? '50';
  const cluster = args.get('--cluster');
  // A client that has not yet talked to the server does not know what the server can do, says so, and asks all the same.
  if (cluster !== undefined) out.line(yellow('The flag is ignored because the server does not support it yet.'));
  const found = backend.requests
    .filter((request) => args.has('--all-status') || isActive(request))
    .filter((request) => cluster === undefined || request.cluster === cluster)
    .filter(({ id }) => args.positional.length === 0 || args.positional.some((prefix) => id.startsWith(prefix)))
    .reverse()
    .slice(0, limit === 'none' ? undefined : Number(limit));
  if (args.jsonOutput) {
    out.json(found.map((request) => row(request, args.has('--verbose'))));
    return;
  }
  out.line('ID  User  Name  Created  Status');
  for (const { id, user, name, status } of found) out.line(`${id}  ${user.hash}  ${name}  now  ${status}`);
}

/** All fields of the payload are printed; those that were not asked for are empty. */
const row = (request: SkyRequest, verbose: boolean): Readonly<Record<string, unknown>> => ({
  request_id: request.id,
  name: request.name,
  entrypoint: '',
  request_body: 'null',
  status: request.status,
  created_at: request.createdAtMs / 1000,
  user_id: request.user.hash,
  return_value: 'null',
  error: 'null',
  pid: null,
  schedule_type: 'long',
  user_name: request.user.name,
  cluster_name: verbose ? request.cluster : null,
  status_msg: null,
  should_retry: false,
  finished_at: null,
  file_mounts_blob_id: null,
});

/** `sky api info`. */
export function apiInfo({ args, out, caller, version }: SkyContext): void {
  const server = { url: SERVER_URL, status: 'healthy', version, commit: 'd4bb793', api_version: API_VERSION };
  const info = { client: { version, commit: 'd4bb793' }, server, user: caller.userName };
  if (args.jsonOutput) {
    out.json(info);
    return;
  }
  out.line(`SkyPilot client version: ${version}`);
  out.line(`SkyPilot API server: ${SERVER_URL}`);
}

/** `sky api logs`: the request's output, then its own error. */
export async function apiLogs({ args, backend, out }: SkyContext): Promise<void> {
  const request = findRequest(backend.requests, args.positional[0]);
  const follows = !args.has('--no-follow');
  if (follows) await request.finished;
  const tail = args.integer('--tail') ?? 0;
  for (const line of request.log.slice(-tail)) out.line(line);
  // Who does not follow learns nothing of how it ended (0.14.1).
  if (!follows) return;
  if (request.error) throw request.error;
  if (request.status === 'CANCELLED') throw cancelledRequest(request.id);
}

/** `sky api cancel`: exit 0 whether or not anything was cancelled. */
export function apiCancel({ args, backend, caller, out }: SkyContext): void {
  const everything = args.positional.length === 0;
  if ((args.has('--all') || args.has('--all-users')) && !args.has('--yes')) {
    out.stdout += "To proceed, please type 'cancel all requests': ";
    throw new Aborted();
  }
  const chosen = backend.requests.filter(({ id, user }) =>
    everything
      ? args.has('--all-users') || user.hash === caller.userHash
      : args.positional.some((prefix) => id.startsWith(prefix)),
  );
  if (!everything) {
    const named = args.positional.map((prefix) => `'${prefix}'`).join(', ');
    out.line(`Cancelling ${args.positional.length} request${args.positional.length === 1 ? '' : 's'}: ${named}...`);
  }
  const cancelled = chosen.filter((request) => backend.cancel(request));
  if (cancelled.length === 0) out.line('No requests need to be cancelled.');
  else if (cancelled.length === 1) out.line(`Cancelled 1 request: ${cancelled[0]?.id ?? ''}`);
  else out.line(`Cancelled ${cancelled.length} requests.`);
}

function findRequest(requests: readonly SkyRequest[], prefix: string | undefined): SkyRequest {
  if (prefix === undefined) throw new UsageError("Missing argument 'REQUEST_ID'.");
  const request = requests.find(({ id }) => id.startsWith(prefix));
  if (!request) throw new SkyError('ClientError', `Failed to stream logs: Request '${prefix}' not found`);
  return request;
}
