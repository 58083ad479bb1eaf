import { Injectable } from '@nestjs/common';
import { LOCALES, type Locale } from '@heliograph/domain';
import escapeHtml from 'escape-html';
import type { Response } from 'express';
import { SYSTEM_OWNER } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { Log } from '../../core/log.ts';
import { SuppressionsService } from './suppressions.service.ts';
import { SuppressionsStore, type Addressed } from './suppressions.store.ts';
import { UnsubscribeLinksService } from './unsubscribe-links.service.ts';
import { UNSUBSCRIBE_TEXTS } from './unsubscribe-texts.ts';

type Recipient = Addressed & { sender: string; SendingId: string };
const PATH = /^\/([A-Za-z0-9_-]{34})(\/return)?\/?$/;

/**
 * `/u/:token`: a recipient unsubscribes. Not part of the contract, since recipients have no session. A GET only asks, because programs
 * that check links open them; a POST unsubscribes, also the one of RFC 8058 that mail clients send without a page.
 */
@Injectable()
export class UnsubscribePage {
  constructor(
    private readonly db: Db,
    private readonly links: UnsubscribeLinksService,
    private readonly store: SuppressionsStore,
    private readonly service: SuppressionsService,
    private readonly rates: RequestRates,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    response.set({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    // The body says nothing that the path does not.
    request.resume();
    const [, token, isReturn] = PATH.exec(request.path) ?? [];
    try {
      const person = await this.rates.countMisses(request, response, () => this.find(token));
      if (!person) return void response.status(404).type('text').send('Unknown link');
      if (!['GET', 'HEAD', 'POST'].includes(request.method))
        return void response.status(405).set('allow', 'GET, HEAD, POST').end();
      const step = request.method !== 'POST' ? 'ask' : isReturn ? 'started' : 'stopped';
      if (step !== 'ask') {
        this.rates.countInbound(request, response);
        await this.change(person, step);
      }
      response.type('html').send(pageOf(request, step, token!, person));
    } catch (error) {
      if (error instanceof AppError)
        return void response
          .status(error.status)
          .set(error.detail.headers)
          .type('text')
          .send('Try again later');
      this.log.error({ err: error }, 'failed to unsubscribe');
      response.status(503).set('retry-after', '5').type('text').send('Try again later');
    }
  };

  /** Undefined if the link is not genuine, or the person or the message was erased. */
  private async find(token: string | undefined): Promise<Recipient | undefined> {
    const id = token && (await this.links.read(token));
    const found = id ? await this.store.recipientOf(id) : undefined;
    if (!found || found.OwnerId === SYSTEM_OWNER || !/[+@]/.test(found.address)) return undefined;
    return found;
  }

  private change(person: Recipient, step: 'stopped' | 'started'): Promise<boolean> {
    const { OwnerId, address, type, SendingId } = person;
    return this.db.transaction(async () =>
      step === 'started'
        ? this.service.optIn({ OwnerId, address, type })
        : this.service.optOut(
            { OwnerId, address, type: await this.service.coveredType(OwnerId, type) },
            { reason: 'link', note: null, SendingId },
          ),
    );
  }
}

function pageOf(
  request: AppRequest,
  step: 'ask' | 'stopped' | 'started',
  token: string,
  { sender }: Recipient,
): string {
  const locale = (request.acceptsLanguages([...LOCALES]) || 'en') as Locale;
  const [title, text, button] = UNSUBSCRIBE_TEXTS[locale][step];
  const action = `/u/${token}${step === 'stopped' ? '/return' : ''}`;
  const from = `<bdi>${escapeHtml(sender)}</bdi>`;
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem } button { font: inherit; padding: .6rem 1.2rem }</style>
</head>
<body><main><h1>${title}</h1><p>${text.replace('{sender}', () => from)}</p>
<form method="post" action="${action}"><button>${button}</button></form></main></body>
</html>
`;
}
