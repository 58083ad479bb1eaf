import express, { type RequestHandler, type Response } from 'express';
import { globSync } from 'node:fs';
import { extname } from 'node:path';
import type { AppRequest } from './endpoint.ts';
import { COMPRESSIONS, encodingOf } from './encoding.ts';
import type { RequestRates } from './request-rates.ts';

const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

export interface StaticFiles {
  rates: RequestRates;
  extensions?: string[];
  /** Sets the headers of a file, given by its path. */
  setHeaders: (response: Response, path: string) => void;
}

/**
 * The files of a built folder. Where the build has put compressed forms beside a file (`app.js.br`, `app.js.gz`), the one that
 * the client accepts is sent. Requests of files are counted by network.
 */
export function staticFiles(
  folder: string,
  { rates, extensions, setHeaders }: StaticFiles,
): RequestHandler {
  const compressed = new Set(globSync('**/*.{br,gz}', { cwd: folder }).map((path) => `/${path}`));
  const serve = express.static(folder, {
    index: false,
    redirect: false,
    extensions,
    setHeaders: (response: Response, path: string) =>
      setHeaders(response, path.replace(/\.(br|gz)$/, '')),
  });
  return (request, response, next) => {
    rates.countDocument(request as AppRequest, response);
    const { url, path } = request;
    const offered = COMPRESSIONS.filter((encoding) => compressed.has(path + SUFFIXES[encoding]));
    if (!offered.length) return serve(request, response, next);
    response.vary('Accept-Encoding');
    const encoding = encodingOf(request, offered);
    if (encoding === 'identity') return serve(request, response, next);
    request.url = path + SUFFIXES[encoding];
    response.set('content-encoding', encoding).type(extname(path));
    serve(request, response, (error?: unknown) => {
      request.url = url;
      response.removeHeader('content-encoding');
      response.removeHeader('content-type');
      next(error);
    });
  };
}
