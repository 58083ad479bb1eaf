import { Injectable } from '@nestjs/common';
import { SandboxServer, type SandboxView } from '@heliograph/simulators';
import { randomUUID } from 'node:crypto';
import { sign, SIGNATURE_HEADER } from '../../acquirers/sandbox/signature.ts';
import { Config } from '../../core/config.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import { SimulatedHost } from '../../core/http/simulated-host.ts';
import { Log } from '../../core/log.ts';
import { SandboxSecret } from './sandbox-secret.service.ts';
import { SandboxPaymentsStore } from './sandbox.store.ts';

/** The sandbox acquirer, below `/sandbox`. */
@Injectable()
export class SandboxHost extends SimulatedHost {
  constructor(
    private readonly config: Config,
    private readonly secret: SandboxSecret,
    private readonly store: SandboxPaymentsStore,
    log: Log,
  ) {
    super(log);
  }

  protected override isBuiltIn(): boolean {
    return this.config.isSandboxBuiltIn;
  }

  protected override async open(): Promise<SandboxServer> {
    const secret = await this.secret.get();
    return new SandboxServer({
      store: this.store,
      newId: randomUUID,
      now: Date.now,
      baseUrl: `${this.config.publicUrl}/sandbox`,
      isAuthorized: (authorization) => isSameSecret(authorization, `Bearer ${secret}`),
      notify: (_url, view) => void this.notify(secret, view),
      later: (ms, then) => void setTimeout(then, ms).unref(),
    });
  }

  private async notify(secret: string, view: SandboxView): Promise<void> {
    const body = JSON.stringify(view);
    const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: sign(secret, body) };
    const url = `${this.config.localUrl}/api/payments/webhook/sandbox`;
    await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) }).catch(
      (error: unknown) => this.log.warn({ err: error }, 'a notification of the sandbox was lost'),
    );
  }
}
