import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';

/**
 * An idle process that runs an empty query on the same database and answers: its response time is the delay of the
 * machine. `/` answers without a query. Prints its port.
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
