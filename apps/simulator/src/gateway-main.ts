import type { AddressInfo } from 'node:net';

import { Gateway } from './gateway.ts';

/** `node src/gateway-main.ts`: the simulated gateway of WhatsApp instances, configured by PORT, HOST, TOKEN and BASE_URL. */
const { PORT = '4030', HOST = '127.0.0.1', TOKEN, BASE_URL } = process.env;
if (!TOKEN) throw new Error('TOKEN: must be the WAPI_GATEWAY_TOKEN of the installation');

const server = new Gateway({ token: TOKEN, baseUrl: () => BASE_URL ?? address() }).serve();
function address(): string {
  const { address: host, port } = server.address() as AddressInfo;
  return `http://${host}:${port}`;
}
server.listen(Number(PORT), HOST, () => console.log(`simulated gateway on ${address()}`));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());
