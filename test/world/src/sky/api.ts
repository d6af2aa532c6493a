import { type SkyContext } from './context.js';
import { isActive, type SkyRequest } from './state.js';
import { bold, SkyError, UsageError } from './text.js';

const SERVER_URL = 'http://127.0.0.1:46580';
const API_VERSION = '37';

/** `sky api status`: active requests, or with `-a` all. */
export function apiStatus({ args, backend, out }: SkyContext): void {
  const limit = args.get('--limit') ?? '50';
  const cluster = args.get('--cluster');
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
  out.line(bold('ID  User  Name  Created  Status'));
  for (const { id, userHash, name, status } of found) out.line(`${id}  ${userHash}  ${name}  now  ${status}`);
}

const row = (request: SkyRequest, verbose: boolean): Readonly<Record<string, unknown>> => ({
  request_id: request.id,
  name: request.name,
  user_id: request.userHash,
  status: request.status,
  created_at: request.createdAtMs / 1000,
  ...(verbose ? { cluster_name: request.cluster } : {}),
});

/** `sky api info`. */
export function apiInfo({ args, out, caller, version }: SkyContext): void {
  const server = { url: SERVER_URL, status: 'healthy', version, commit: 'd4bb793', api_version: API_VERSION };
  const info = { client: { version, commit: 'd4bb793' }, server, user: { id: caller.userHash, name: caller.userName } };
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
  if (!args.has('--no-follow')) await request.finished;
  const tail = args.integer('--tail') ?? 0;
  for (const line of request.log.slice(-tail)) out.line(line);
  if (request.error) throw request.error;
  if (request.status === 'CANCELLED')
    throw new SkyError('RequestCancelled', `Request ${request.id} has been cancelled.`);
}

/** `sky api cancel`: exit 0 whether or not anything was cancelled. */
export function apiCancel({ args, backend, out }: SkyContext): void {
  if (args.positional.length === 0 && !args.has('--all'))
    throw new UsageError('Missing argument: give request ids or -a.');
  const chosen = backend.requests.filter(
    ({ id }) => args.has('--all') || args.positional.some((prefix) => id.startsWith(prefix)),
  );
  const count = chosen.filter((request) => backend.cancel(request)).length;
  out.line(count === 0 ? 'No active requests to cancel.' : `Cancelled ${count} request${count === 1 ? '' : 's'}.`);
}

function findRequest(requests: readonly SkyRequest[], prefix: string | undefined): SkyRequest {
  if (prefix === undefined) throw new UsageError("Missing argument 'REQUEST_ID'.");
  const request = requests.find(({ id }) => id.startsWith(prefix));
  if (!request) throw new SkyError('RuntimeError', `Request '${prefix}' not found.`);
  return request;
}
