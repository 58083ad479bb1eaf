import { transliterate } from '@heliograph/domain';
import { create } from 'content-disposition';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../core/errors.ts';
import type { ByteRange, Files } from '../../core/files/files.ts';
import { servedType } from './file-type.ts';
import { contentsOf, downloadName, type StoredFile } from './stored-file.entity.ts';

interface Download {
  request: Request;
  response: Response;
  file: StoredFile;
  files: Files;
}

/**
 * Sends a file as an attachment in a sandbox, since uploads are untrusted. Supports ranges and revalidation, so that a
 * player can seek.
 */
export async function sendFile({ request, response, file, files }: Download): Promise<void> {
  response.set({
    'content-disposition': dispositionOf(file),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: `"${file.hash}"`,
  });
  // `type()` and `set()` would add charset=utf-8 to a text of any encoding.
  response.setHeader('content-type', servedType(file.type));
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  try {
    const range = rangeOf(request, file);
    const { start, end } = range ?? { start: 0, end: file.size - 1 };
    // Opened before the headers are sent, so that missing contents are an error and not a file that breaks off.
    const body =
      request.method === 'HEAD' ? null : await files.read(contentsOf(file), range ?? undefined);
    response.status(range ? 206 : 200).setHeader('content-length', end - start + 1);
    if (range) response.setHeader('content-range', `bytes ${start}-${end}/${file.size}`);
    if (body) await pipeline(body, response);
    else response.end();
  } catch (error) {
    // A client that disconnected is not an error.
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw error;
  }
}

/** Leads a browser to the contents in the store if it can reach it, by a link that states the same type and name. */
export async function redirectOrSend(download: Download): Promise<void> {
  const { response, file, files } = download;
  const headers = { type: servedType(file.type), disposition: dispositionOf(file) };
  const link = await files.link(contentsOf(file), headers);
  if (!link) return sendFile(download);
  response.redirect(302, link);
}

const isAscii = (text: string) => /^[ -~]*$/.test(text);
/** With the name in other letters for programs that read the plain parameter alone (RFC 6266). */
function dispositionOf(file: StoredFile): string {
  const name = downloadName(file);
  const plain = [...name].map((one) => (isAscii(one) ? one : transliterate(one, isAscii)));
  return create(name, { fallback: plain.join('') });
}

/** The whole file is sent for several ranges, and for what is no range. */
const RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** The one range that the client requests; null for the whole file. */
function rangeOf(request: Request, { hash, size }: StoredFile): ByteRange | null {
  const wanted = request.get('if-range');
  const [, first = '', last = ''] = RANGE.exec(request.get('range') ?? '') ?? [];
  if (request.method !== 'GET' || !(first || last) || (wanted && wanted !== `"${hash}"`))
    return null;
  if (first && last && Number(last) < Number(first)) return null;
  // A range without a first position is the end of the file.
  const start = first ? Number(first) : Math.max(size - Number(last), 0);
  if (start >= size)
    throw new AppError('range_not_satisfiable', undefined, {
      headers: { 'content-range': `bytes */${size}` },
    });
  return { start, end: first && last ? Math.min(Number(last), size - 1) : size - 1 };
}
