import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../../core/config.ts';
import { findFiles } from './files.ts';
import { Pages } from './pages.ts';

const PAGE = /^([a-z]{2})\/([\w/-]{1,200})\.md$/;
const INDEX = /^([a-z]{2})\/index\.json$/;

/**
 * `GET /docs/{locale}/{category}/{file}.md`: the pages of the documentation, `GET /docs/{locale}/index.json`: the list of them. Not part of
 * the contract, since the answers are files. A path that is not in the list of known files is answered 404 and never the cabinet's page.
 */
export function documentation(config: Config): RequestHandler {
  const folder = config.DOCS_DIR;
  const files = findFiles(folder);
  const pages = new Pages(folder, files, config);
  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    response.set('cache-control', 'no-cache');
    if (!isRead) return void response.set('allow', 'GET, HEAD').sendStatus(405);
    const path = pathOf(request);
    const [, locale, name] = PAGE.exec(path) ?? [];
    const page = locale && pages.find(locale, name!);
    if (page)
      return send(response.set('content-language', page.locale), 'text/markdown', page.text);
    const index = INDEX.exec(path)?.[1];
    const list = index ? pages.list(index) : [];
    if (list.length) return send(response, 'application/json', JSON.stringify({ pages: list }));
    // Page names of other languages must not be read as files: only pictures are.
    if (path.startsWith('images/') && files.has(path))
      return void response.sendFile(path, { root: folder });
    response.status(404).type('text').send('Not found');
  };
}

function send(response: Response, type: string, text: string): void {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  response.set('etag', `"${hash}"`).type(`${type}; charset=utf-8`).send(text);
}

/** Decoded once, as the list has it. */
function pathOf(request: Request): string {
  try {
    return decodeURIComponent(request.path).slice(1);
  } catch {
    return '';
  }
}
