import type { AddressInfo } from 'node:net';

import { Acquirer } from './acquirer.ts';

/** `node src/acquirer-main.ts`: the sandbox acquirer, configured by PORT, HOST, SECRET and BASE_URL. */
const { PORT = '4020', HOST = '127.0.0.1', SECRET, BASE_URL } = process.env;
if (!SECRET) throw new Error('SECRET: must be the PAYMENT_SANDBOX_SECRET of the shop');

const server = new Acquirer({ secret: SECRET, baseUrl: () => BASE_URL ?? address() }).serve();
function address(): string {
  const { address: host, port } = server.address() as AddressInfo;
  return `http://${host}:${port}`;
}
server.listen(Number(PORT), HOST, () => console.log(`sandbox acquirer on ${address()}`));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());
