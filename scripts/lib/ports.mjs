import { createServer } from 'node:net';

/** Whether this address can be listened on now. */
export function isFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The remembered port when it is still free, otherwise any free one. */
export async function freePort(remembered, host = '127.0.0.1') {
  if (remembered && (await isFree(remembered, host))) return remembered;
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host }, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
