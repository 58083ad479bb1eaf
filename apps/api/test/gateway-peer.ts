import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SimulatedInstance } from '@heliograph/simulators';
import { Gateway } from '../../simulator/src/gateway.ts';

export const GATEWAY_TOKEN = 'token-of-the-partner';

/** The gateway of a test, with its phones. */
export class GatewayPeer {
  url: string;
  readonly gateway: Gateway;
  private server?: Server;

  constructor(now: () => number) {
    this.gateway = new Gateway({ token: GATEWAY_TOKEN, baseUrl: () => this.url, now });
  }

  async start(port = 0): Promise<string> {
    this.server = this.gateway.serve();
    await new Promise<void>((done) => this.server!.listen(port, '127.0.0.1', done));
    return (this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  /** The instance there, by our id. */
  of(name: string): SimulatedInstance | undefined {
    return [...this.gateway.instances.values()].find((one) => one.name === name);
  }

  /** Something that a person does with the phone; on its page, as a person would. */
  async act(name: string, form: Record<string, string>): Promise<string> {
    const { key } = this.of(name)!;
    const body = new URLSearchParams(form);
    return (await fetch(`${this.url}/phone/${key}`, { method: 'POST', body })).text();
  }
}
