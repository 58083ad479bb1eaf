import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxPayment } from '@heliograph/simulators';
import { Acquirer } from '../apps/simulator/src/acquirer.ts';
import { Random } from './random.ts';

/**
 * The sandbox acquirer behind a bad network: calls are lost before or after they act, and notifications come late, twice, in any order or
 * never. What it believes survives, as that of a bank does.
 */
export class FlakyAcquirer {
  readonly secret = randomBytes(24).toString('hex');
  url = '';
  /** Calls that were lost, and notifications that were not sent. */
  lost = 0;
  private apis: string[] = [];
  private random = new Random('');
  private isFlaky = false;
  /** References whose notifications are repeated until they are answered, as acquirers do: nobody asks about them. */
  private readonly insisted = new Set<string>();
  private sending = 0;
  private readonly acquirer = new Acquirer({
    secret: this.secret,
    baseUrl: () => this.url,
    deliver: (_url, body, signature) => this.deliver(body, signature),
  });
  private readonly inner = this.acquirer.serve();
  private readonly server = createServer((request, response) => {
    this.take(request, response).catch(() => request.destroy());
  });

  async open(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets the payments of the previous round. */
  begin(apis: string[], seed: string): void {
    this.acquirer.payments.clear();
    this.insisted.clear();
    this.apis = apis;
    this.random = new Random(`${seed} acquirer`);
    this.isFlaky = true;
  }

  calm(): void {
    this.isFlaky = false;
  }

  get isSilent(): boolean {
    return this.sending === 0;
  }

  get payments(): SandboxPayment[] {
    return [...this.acquirer.payments.values()];
  }

  /** The payer chooses a card, and confirms it if the bank asks. */
  async pay(url: string, card: string): Promise<void> {
    for (const body of [`card=${card}`, 'answer=confirm'].map((form) => new URLSearchParams(form)))
      await fetch(url, { method: 'POST', body, redirect: 'manual' });
  }

  insistOn(reference: string): void {
    this.insisted.add(reference);
  }

  /** A refund that somebody makes at the acquirer. */
  async refundByHand({ id, reference }: SandboxPayment, amount: string): Promise<void> {
    this.insistOn(reference);
    await fetch(`${this.url}/payments/${id}/refunds`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${this.secret}`,
        'x-by-hand': '1',
      },
      body: JSON.stringify({ id: `by-hand-${this.random.roll()}`, amount }),
    });
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isCall = request.headers.authorization && !request.headers['x-by-hand'];
    const fate = isCall && this.isFlaky ? this.random.roll() : 1;
    if (fate < 0.12) {
      this.lost++;
      request.destroy();
      return;
    }
    if (fate < 0.24) {
      this.lost++;
      response.writeHead = () => {
        request.destroy();
        return response;
      };
    }
    if (fate > 0.24 && fate < 0.5) await sleep(this.random.between(0, 1500));
    this.inner.emit('request', request, response);
  }

  private async deliver(body: string, signature: string): Promise<void> {
    const { reference } = JSON.parse(body) as { reference: string };
    const mustArrive = this.insisted.has(reference);
    if (!mustArrive && this.isFlaky && this.random.roll() < 0.25) {
      this.lost++;
      return;
    }
    const copies = this.random.roll() < 0.25 ? 2 : 1;
    const post = () => this.post(body, signature, mustArrive);
    await Promise.all(Array.from({ length: copies }, post));
  }

  private async post(body: string, signature: string, mustArrive: boolean): Promise<void> {
    this.sending++;
    try {
      await sleep(this.random.between(0, 2500));
      for (const end = Date.now() + 60_000; Date.now() < end;) {
        const answer = await fetch(`${this.random.one(this.apis)}/api/payments/webhook/sandbox`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-sandbox-signature': signature },
          body,
          signal: AbortSignal.timeout(8000),
        }).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        if (answer?.ok || !mustArrive) return;
        await sleep(300);
      }
    } finally {
      this.sending--;
    }
  }
}
