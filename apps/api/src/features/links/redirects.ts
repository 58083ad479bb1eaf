import { isPreview } from '@heliograph/domain';
import { Injectable } from '@nestjs/common';
import type { Response, Request } from 'express';
import { AppError } from '../../core/errors.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { Log } from '../../core/log.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { ClickCodesService } from './click-codes.service.ts';
import { Clicks } from './clicks.ts';
import { LinksStore } from './links.store.ts';

/** `GET /s/:code`, or `/s/:code-:recipient`: redirects short links of messages, also if nobody is the recipient. Not part of the contract, since it is opened by recipients. */
@Injectable()
export class Redirects {
  /** Cached, since many recipients of a bulk open the link at the same time. */
  private readonly targets = new TtlCache((code: string) => this.store.target(code));

  constructor(
    private readonly store: LinksStore,
    private readonly clicks: Clicks,
    private readonly codes: ClickCodesService,
    private readonly rates: RequestRates,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    response.set({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    const [, code, recipient] = /^\/(\w{1,32})(?:-([\w-]{0,64}))?\/?$/.exec(request.path) ?? [];
    try {
      const link = await this.rates.countMisses(request, response, async () =>
        isRead && code ? await this.targets.get(code) : undefined,
      );
      if (!link) return void response.status(404).type('html').send(missingPage(request));
      if (isPreview(request.method, request.headers)) this.clicks.addPreview(link.id);
      else this.clicks.add(link.id, recipient ? await this.codes.read(recipient) : null);
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

/** Heading and text of the page for unknown links. */
const TEXTS = {
  en: ['This link does not work', 'It may have been deleted, or part of the address is missing.'],
  ru: ['Ссылка не работает', 'Возможно, её удалили или адрес скопирован не полностью.'],
  es: [
    'Este enlace no funciona',
    'Puede que se haya eliminado o que falte una parte de la dirección.',
  ],
  pt: ['Este link não funciona', 'Talvez tenha sido excluído ou falte uma parte do endereço.'],
  fr: [
    'Ce lien ne fonctionne pas',
    'Il a peut-être été supprimé, ou une partie de l’adresse manque.',
  ],
  de: [
    'Dieser Link funktioniert nicht',
    'Vielleicht wurde er gelöscht, oder ein Teil der Adresse fehlt.',
  ],
  it: ['Questo link non funziona', 'Forse è stato eliminato o manca una parte dell’indirizzo.'],
} as const;

function missingPage(request: Request): string {
  const locale = request.acceptsLanguages(Object.keys(TEXTS)) || 'en';
  const [title, text] = TEXTS[locale as keyof typeof TEXTS];
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem }</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
