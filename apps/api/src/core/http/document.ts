import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { AppRequest } from './endpoint.ts';
import { encodingOf, type Encoding } from './encoding.ts';
import type { RequestRates } from './request-rates.ts';

/** Smaller by 10 % at 11, in fifty times the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** A text that all clients get alike, as the bytes that are sent. */
export interface Document {
  etag: string;
  headers: Record<string, string>;
  bytes: Record<Encoding, Buffer>;
}

/** Compressed in the thread pool. */
export async function createDocument(
  text: string,
  headers: Record<string, string>,
): Promise<Document> {
  const identity = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, BROTLI),
    promisify(gzip)(identity),
  ]);
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  // Weak: it is that of all encodings.
  return { etag: `W/"${hash}"`, headers, bytes: { identity, br, gzip: gzipped } };
}

/** Answers GET and HEAD with the document, if there is one for the request, and counts its bytes against the network's limit. */
export function serveDocuments(
  rates: RequestRates,
  find: (request: AppRequest) => Promise<Document | undefined>,
): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const document = await find(request as AppRequest);
    if (!document) return next();
    const encoding = encodingOf(request);
    const bytes = document.bytes[encoding];
    response.vary('Accept-Encoding').set({ 'cache-control': 'no-cache', etag: document.etag });
    const hasBody = request.method === 'GET' && !request.fresh;
    rates.countDocument(request as AppRequest, response, hasBody ? bytes.length : 0);
    if (encoding !== 'identity' && !request.fresh) response.set('content-encoding', encoding);
    response.set(document.headers).send(bytes);
  };
}

/** Documents of brands are made again after each change of one. */
const MAX_DOCUMENTS = 1000;

/** Makes each document once, when it is first asked for. One that failed, or was not asked for lately, is made again. */
export class Documents {
  private readonly made = new LRUCache<string, Promise<Document>>({ max: MAX_DOCUMENTS });

  get(key: string, make: () => Promise<Document>): Promise<Document> {
    let document = this.made.get(key);
    if (!document) {
      document = make();
      this.made.set(key, document);
      document.catch(() => this.made.delete(key));
    }
    return document;
  }
}
