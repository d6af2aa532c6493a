import { createServer } from 'node:http';

/** The plainest server of a body of so many bytes, in a process of its own: what no export over HTTP can be faster than. */
process.once('message', (bytes: number) => {
  const body = Buffer.alloc(bytes, 'x');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address) process.send?.(address.port);
  });
});
process.on('disconnect', () => process.exit());
