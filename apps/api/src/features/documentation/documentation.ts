import { globSync } from 'node:fs';
import express, { type Request, type RequestHandler } from 'express';
import type { Config } from '../../core/config.ts';
import {
  createDocument,
  Documents,
  serveDocuments,
  type Document,
} from '../../core/http/document.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import type { RequestRates } from '../../core/http/request-rates.ts';
import type { GeneratedTexts, TextName } from './generated-texts.ts';
import { isLocale, Pages, type Page } from './pages.ts';

const PAGE = /^([a-z]{2})\/([\w/-]{1,200})\.md$/;
const INDEX = /^([a-z]{2})\/index\.json$/;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const API_DOCUMENT = /^\/(openapi|asyncapi|postman)\.json\/?$/i;

/** `GET /api/openapi.json`, `GET /api/asyncapi.json` and `GET /api/postman.json`. */
export function apiDocuments(texts: GeneratedTexts, rates: RequestRates): RequestHandler {
  const documents = new Documents();
  return serveDocuments(rates, async ({ path }) => {
    const name = API_DOCUMENT.exec(path)?.[1]?.toLowerCase() as TextName | undefined;
    return (
      name && documents.get(name, async () => createDocument(await texts.get(name), JSON_TYPE))
    );
  });
}

/**
 * `GET /docs/{locale}/{category}/{file}.md`: the pages of the documentation, `GET /docs/{locale}/index.json`: the list of them. Not part of
 * the contract, since the answers are files. A path that is not in the list of known files is answered 404 and never the cabinet's page.
 */
export function documentation(
  config: Config,
  texts: GeneratedTexts,
  rates: RequestRates,
): RequestHandler {
  const folder = config.DOCS_DIR;
  const files = findFiles(folder);
  const pages = new Pages(folder, files, texts, config);
  const documents = new Documents();

  const page = (found: Page): Promise<Document> =>
    documents.get(`${found.locale}/${found.name}`, async () =>
      createDocument(await pages.text(found), {
        'content-type': 'text/markdown; charset=utf-8',
        'content-language': found.locale,
      }),
    );
  const index = (locale: string): Promise<Document> =>
    documents.get(`${locale}/index.json`, async () =>
      createDocument(JSON.stringify({ pages: await pages.list(locale) }), JSON_TYPE),
    );
  const router = express.Router();
  router.use((request, response, next) => {
    response.set('cache-control', 'no-cache');
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    response.set('allow', 'GET, HEAD').sendStatus(405);
  });
  router.use(
    serveDocuments(rates, async (request) => {
      const path = pathOf(request);
      const [, locale, name] = PAGE.exec(path) ?? [];
      const found = locale && pages.find(locale, name!);
      if (found) return page(found);
      const listed = INDEX.exec(path)?.[1];
      return listed && isLocale(listed) ? index(listed) : undefined;
    }),
  );
  router.use((request, response) => {
    rates.countDocument(request as AppRequest, response);
    const path = pathOf(request);
    // Page names of other languages must not be read as files: only pictures are.
    if (path.startsWith('images/') && files.has(path))
      return response.sendFile(path, { root: folder });
    response.status(404).type('text').send('Not found');
  });
  return router;
}

/** Decoded once, as the list has it. */
function pathOf(request: Request): string {
  try {
    return decodeURIComponent(request.path).slice(1);
  } catch {
    return '';
  }
}

/** A page `en/api/HTTP-REST.md` or a picture `images/en/home.webp`. */
const DOCUMENT =
  /^(?:[a-z]{2}\/[\w-]{1,60}(?:\/[\w-]{1,60}){1,3}\.md|images\/[a-z]{2}\/[\w-]{1,60}\.(?:webp|png))$/;

/** The files of the folder that may be served, by their paths in it. No other path is ever read. */
function findFiles(folder: string): Set<string> {
  const found = globSync(['[a-z][a-z]/**/*.md', 'images/[a-z][a-z]/*.{webp,png}'], { cwd: folder });
  return new Set(found.filter((path) => DOCUMENT.test(path)));
}
