import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A process with nothing to do but to answer: whoever waits for it waits for the machine. Says its port. */
const server = createServer((_request, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
