import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';

import { SimulatedGateway, type SimulatedInstance } from '@heliograph/simulators';
import { serveParty } from './party-server.ts';
import { isSame } from './same.ts';

export interface GatewayOptions {
  /** Creates and removes instances. */
  token: string;
  /** Address of this server for browsers, without a slash at the end. */
  baseUrl: () => string;
  now?: () => number;
}

/** The simulated gateway as a process of its own. README.md documents its API. Its instances live as long as the process. */
export class Gateway {
  readonly instances = new Map<string, SimulatedInstance>();
  private readonly gateway: SimulatedGateway;

  constructor({ token, baseUrl, now = Date.now }: GatewayOptions) {
    const { instances } = this;
    const all = () => [...instances.values()].reverse();
    this.gateway = new SimulatedGateway({
      store: {
        add: (instance) => Promise.resolve(void instances.set(instance.id, instance)),
        get: (id) => Promise.resolve(instances.get(id)),
        byKey: (key) => Promise.resolve(all().find((one) => one.key === key)),
        all: () => Promise.resolve(all()),
        remove: (id) => Promise.resolve(void instances.delete(id)),
        change(id, change) {
          const before = instances.get(id);
          if (!before) return Promise.resolve(undefined);
          const after = change(before);
          if (after) instances.set(id, after);
          return Promise.resolve(after);
        },
      },
      newId: randomUUID,
      now,
      get baseUrl() {
        return baseUrl();
      },
      isPartner: (given) => isSame(given, token),
      isSameToken: isSame,
    });
  }

  serve(): Server {
    return serveParty(this.gateway);
  }
}
