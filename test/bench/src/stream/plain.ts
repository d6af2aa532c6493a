import { type ServerResponse, createServer } from 'node:http';

/** The plainest server of events, in a process of its own: it writes each at once to each reader, and has no log. */
const readers = new Set<ServerResponse>();
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 1000\n\n');
  readers.add(response);
});
process.on('message', (frame: string) => {
  for (const reader of readers) reader.write(frame);
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.send?.(address.port);
});
