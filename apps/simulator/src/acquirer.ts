import { createHmac, randomUUID } from 'node:crypto';
import type { Server } from 'node:http';

import { SandboxServer, type SandboxPayment, type SandboxView } from '@heliograph/simulators';
import { serveParty } from './party-server.ts';
import { isSame } from './same.ts';

const SIGNATURE_HEADER = 'x-sandbox-signature';

export interface AcquirerOptions {
  /** Authorizes the shop, and signs notifications. */
  secret: string;
  /** Address of this server for browsers, without a slash at the end. */
  baseUrl: () => string;
  /** Sends a signed notification; by default one `POST` that is not repeated. */
  deliver?: (url: string, body: string, signature: string) => Promise<unknown>;
}

/** The sandbox acquirer as a process of its own. README.md documents its API. Its payments live as long as the process. */
export class Acquirer {
  readonly payments = new Map<string, SandboxPayment>();
  private readonly ids = new Map<string, string>();
  private readonly sandbox: SandboxServer;

  constructor({ secret, baseUrl, deliver = post }: AcquirerOptions) {
    const { payments, ids } = this;
    this.sandbox = new SandboxServer({
      store: {
        byId: (id) => Promise.resolve(payments.get(id)),
        byReference: (reference) => Promise.resolve(payments.get(ids.get(reference) ?? '')),
        add(payment) {
          const isNew = !ids.has(payment.reference);
          if (isNew) {
            ids.set(payment.reference, payment.id);
            payments.set(payment.id, payment);
          }
          return Promise.resolve(isNew);
        },
        change(id, change) {
          const before = payments.get(id);
          if (!before) return Promise.resolve(undefined);
          const after = change(before);
          if (after) payments.set(id, after);
          return Promise.resolve({ before, after });
        },
      },
      newId: randomUUID,
      now: Date.now,
      get baseUrl() {
        return baseUrl();
      },
      isAuthorized: (authorization) => isSame(authorization ?? '', `Bearer ${secret}`),
      notify: (url, view) => void deliver(url, ...signed(secret, view)).catch(() => undefined),
      later: (ms, then) => void setTimeout(then, ms).unref(),
    });
  }

  serve(): Server {
    return serveParty(this.sandbox);
  }
}

function signed(secret: string, view: SandboxView): [body: string, signature: string] {
  const body = JSON.stringify(view);
  return [body, createHmac('sha256', secret).update(body).digest('hex')];
}

async function post(url: string, body: string, signature: string): Promise<void> {
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature };
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
}
