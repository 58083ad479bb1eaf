import { Injectable } from '@nestjs/common';
import { isPreview } from '@heliograph/domain';
import type { Response } from 'express';
import { TtlCache } from '../../core/ttl-cache.ts';
import { AppError } from '../../core/errors.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { Log } from '../../core/log.ts';
import { Clicks } from './clicks.ts';
import { LinksStore } from './links.store.ts';
import { missingPage } from './missing-page.ts';

/** `GET /s/:code`: redirects short links of messages. Not part of the contract, since it is opened by recipients. */
@Injectable()
export class Redirects {
  /** Cached, since many recipients of a bulk open the link at the same time. */
  private readonly targets = new TtlCache((code: string) => this.store.target(code));

  constructor(
    private readonly store: LinksStore,
    private readonly clicks: Clicks,
    private readonly rates: RequestRates,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    response.set({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    const code = /^\/(\w{1,32})\/?$/.exec(request.path)?.[1];
    try {
      const link = await this.rates.countMisses(request, response, async () =>
        isRead && code ? await this.targets.get(code) : undefined,
      );
      if (!link) return void response.status(404).type('html').send(missingPage(request));
      if (isPreview(request.method, request.headers)) this.clicks.addPreview(link.id);
      else this.clicks.add(link.id);
      response.redirect(302, link.url);
    } catch (error) {
      if (error instanceof AppError) return refuse(response, error);
      this.log.error({ err: error }, 'failed to look up a short link');
      response.status(503).set('retry-after', '5').type('text').send('Try again later');
    }
  };
}

function refuse(response: Response, { status, detail }: AppError): void {
  const text = 'Too many unknown links. Try again later.';
  response.status(status).set(detail.headers).type('text').send(text);
}
