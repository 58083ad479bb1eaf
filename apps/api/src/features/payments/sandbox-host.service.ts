import { Injectable } from '@nestjs/common';
import { SandboxServer, type SandboxView } from '@heliograph/domain';
import type { Response } from 'express';
import qs from 'qs';
import { randomUUID } from 'node:crypto';
import { sign, SIGNATURE_HEADER } from '../../acquirers/sandbox/signature.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { readBody } from '../../core/http/body.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import { Log } from '../../core/log.ts';
import { SandboxSecret } from './sandbox-secret.service.ts';
import { SandboxPaymentsStore } from './sandbox.store.ts';

/** The sandbox acquirer inside of a demo installation, below `/sandbox`. It is another party: it reaches payments by their interface only. */
@Injectable()
export class SandboxHost {
  private server?: Promise<SandboxServer>;

  constructor(
    private readonly config: Config,
    private readonly secret: SandboxSecret,
    private readonly store: SandboxPaymentsStore,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    response.set('cache-control', 'no-store');
    try {
      if (!this.config.isSandboxBuiltIn) return void response.status(404).end();
      const body = await readBody(request, { form: true });
      const answer = await (
        await this.open()
      ).respond({
        method: request.method,
        path: request.path,
        query: qs.parse(request.url.split('?')[1] ?? '') as Record<string, string>,
        authorization: request.header('authorization'),
        body: (body?.parse() ?? {}) as Record<string, unknown>,
      });
      response.status(answer.status);
      if (answer.location) response.redirect(answer.status, answer.location);
      else if (answer.html) response.type('html').send(answer.html);
      else response.json(answer.json);
    } catch (error) {
      const status = error instanceof AppError ? error.status : 500;
      if (status === 500) this.log.error({ err: error }, 'the sandbox failed');
      response.status(status).end();
    }
  };

  private open(): Promise<SandboxServer> {
    return (this.server ??= this.create());
  }

  private async create(): Promise<SandboxServer> {
    const secret = await this.secret.get();
    return new SandboxServer({
      store: this.store,
      newId: randomUUID,
      now: Date.now,
      baseUrl: '/sandbox',
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
