import type { Response } from 'express';
import { AppError, notFound } from '../../core/errors.ts';
import { servedType } from './file-type.ts';
import { downloadName, type StoredFile } from './stored-file.entity.ts';

/**
 * Sends a file as an attachment in a sandbox, since uploads are untrusted. Supports ranges and revalidation, so that a
 * player can seek.
 */
export function sendFile(response: Response, file: StoredFile & { path: string }): Promise<void> {
  response.attachment(downloadName(file));
  // `type()` would add charset=utf-8 to a text of any encoding.
  response.setHeader('content-type', servedType(file.type));
  response.set({
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    etag: `"${file.hash}"`,
  });
  return new Promise((resolve, reject) => {
    response.sendFile(file.path, { cacheControl: false, dotfiles: 'allow' }, (error) => {
      // A client that disconnected is not an error.
      if (!error || response.headersSent || response.destroyed) return resolve();
      for (const name of ['content-disposition', 'content-type', 'etag'])
        response.removeHeader(name);
      response.setHeader('cache-control', 'no-store');
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      reject(isGone ? notFound() : new AppError('bad_request', error.message));
    });
  });
}
