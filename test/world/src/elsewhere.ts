import { type KeysSeen } from './cloud/keys-seen.js';
import { empty, json, text, type WireHandler } from './http/wire.js';
import { keyIn } from './model-server/keys.js';

/**
 * A host that is no model server of anybody's, and answers as if it were a busy one: where a redirect may lead. Whoever
 * believes it was led astray; whoever shows it a key has given it away.
 */
export const elsewhereHandler =
  (keysSeen: KeysSeen): WireHandler =>
  (request) => {
    if (keyIn(request) !== undefined) keysSeen.note(request.url.host, 'foreign');
    const { pathname } = request.url;
    if (pathname.startsWith('/metrics'))
      return Promise.resolve(text(200, METRICS, 'text/plain; version=1.0.0; charset=utf-8'));
    if (pathname === '/v1/models') return Promise.resolve(json(200, MODELS));
    return Promise.resolve(empty(200));
  };

const METRICS = `vllm:num_requests_running{engine="0",model_name="elsewhere"} 99.0
vllm:num_requests_waiting{engine="0",model_name="elsewhere"} 99.0
vllm:kv_cache_usage_perc{engine="0",model_name="elsewhere"} 1.0
`;

const MODELS = { object: 'list', data: [{ id: 'elsewhere', object: 'model', created: 0, owned_by: 'nobody' }] };
