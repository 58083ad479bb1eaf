import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether this address can be listened on now. */
export function isFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Below those that systems give to outgoing connections and to servers that ask for any port: such a one may be taken between the
 * answer and its use.
 */
const [FIRST, END] = [15_000, 32_768];

/** The remembered port when it is still free, otherwise any free one. */
export async function freePort(remembered, host = '127.0.0.1') {
  if (remembered && (await isFree(remembered, host))) return remembered;
  for (let tries = 0; tries < 1000; tries++) {
    const port = randomInt(FIRST, END);
    if (await isFree(port, host)) return port;
  }
  throw new Error('no port is free');
}
