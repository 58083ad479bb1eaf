import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';

/**
 * A process with nothing to do but to ask the same database for nothing and to answer: whoever waits for it waits for the
 * machine. At `/` it asks nobody. Says its port.
 */
const client = new Client(process.env.DATABASE_URL);
await client.connect();
const server = createServer((request, response): void => {
  if (request.url === '/') return void response.end('{}');
  client.query('select 1').then(
    () => response.end('{}'),
    () => response.destroy(),
  );
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
