import { createServer } from 'node:http';

/**
 * Model servers for the prober to look at, in a process of their own, so that their work is not counted as the prober's: one
 * listener on every loopback address, each of which is a server of its own to whoever connects. Every tenth of them never
 * answers once the benchmark says so.
 */
let hangs = false;
const isSlow = (address: string): boolean => address.endsWith('0');

const BODIES: Readonly<Record<string, string>> = {
  '/health': '',
  '/v1/models': '{"object":"list","data":[{"id":"qwen","object":"model","max_model_len":8192}]}',
  '/v1/chat/completions': '{"model":"qwen","choices":[{"message":{"content":"pong"}}]}',
  '/metrics':
    '# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{engine="0",model_name="qwen"} 2.0\n' +
    'vllm:num_requests_waiting{engine="0",model_name="qwen"} 0.0\nvllm:generation_tokens_total{engine="0",model_name="qwen"} 7.0\n',
};

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const { url = '', socket } = request;
  if (hangs && isSlow(socket.localAddress ?? '')) return;
  const body = BODIES[url];
  request.resume();
  if (body === undefined) response.writeHead(404).end();
  else response.end(body);
});
process.on('message', () => (hangs = true));
process.on('disconnect', () => process.exit());
server.listen(0, '0.0.0.0', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.send?.(address.port);
});
