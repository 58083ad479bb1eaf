import { Injectable } from '@nestjs/common';
import { MAX_FILE_SIZE } from '@heliograph/contract';
import { cleanFileTitle, composeText } from '@heliograph/domain';
import type { Request } from 'express';
import multer from 'multer';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '../../core/errors.ts';
import { Files, unavailableIfDisk } from '../../core/files/files.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';

/** A received file. The caller stores or removes it. */
export interface Upload {
  path: string;
  filename: string;
  /** As the client declares it. */
  type?: string;
}

/** Overhead of a multipart body. */
const ENVELOPE = 64 * 1024;
const tooLarge = () =>
  new AppError('too_large', `The file must not exceed ${MAX_FILE_SIZE / 1024 / 1024} MB`, {
    payload: { max: MAX_FILE_SIZE },
  });

/** Receives an upload: the field `file` of a form, or the raw body with `x-filename`. */
@Injectable()
export class Uploads {
  constructor(private readonly files: Files) {}

  async receive(request: AppRequest): Promise<Upload> {
    // Refused before anything is written. The server drains the rest of the body.
    if (Number(request.headers['content-length']) > MAX_FILE_SIZE + ENVELOPE) throw tooLarge();
    const folder = await this.files.incoming();
    return request.is('multipart/form-data') ? form(request, folder) : body(request, folder);
  }
}

function form(request: AppRequest, folder: string): Promise<Upload> {
  const take = multer({
    storage: multer.diskStorage({ destination: folder }),
    limits: { fileSize: MAX_FILE_SIZE, files: 1, fields: 20, fieldSize: 4096, parts: 30 },
    defParamCharset: 'utf8',
  }).single('file');
  return new Promise((resolve, reject) => {
    take(request, {} as never, (error: unknown) => {
      const { file } = request;
      if ((error as { code?: string } | undefined)?.code === 'LIMIT_FILE_SIZE') reject(tooLarge());
      else if (error instanceof multer.MulterError) reject(error);
      else if (error) reject(failedWrite(error, 'The form is incomplete or malformed'));
      else if (!file)
        reject(invalid('file', 'required', 'The form must have a file in the field `file`.'));
      else
        resolve({
          path: file.path,
          filename: clean(file.originalname),
          type: file.mimetype,
        });
    });
  });
}

async function body(request: AppRequest, folder: string): Promise<Upload> {
  if (request.is('application/x-www-form-urlencoded'))
    throw new AppError('unsupported_media', 'Set Content-Type to the type of the file');
  const path = join(folder, randomUUID());
  try {
    await pipeline(metered(request), createWriteStream(path));
  } catch (error) {
    await rm(path, { force: true });
    throw failedWrite(error, 'The upload is incomplete');
  }
  return { path, filename: nameOf(request), type: request.headers['content-type'] };
}

/** A disk that cannot be written is the operator's fault, anything else the client's. */
function failedWrite(error: unknown, message: string): AppError {
  const failure = unavailableIfDisk(error as NodeJS.ErrnoException);
  return failure instanceof AppError ? failure : new AppError('bad_request', message);
}

/**
 * Limits the size of a body. It is not part of `pipeline`, which would close the connection on an error: the rest of the
 * body is drained instead, so that the client receives the response.
 */
function metered(request: AppRequest): Transform {
  let left = MAX_FILE_SIZE;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(tooLarge());
      else done(null, chunk);
    },
  });
  request.once('close', () => {
    if (!request.readableEnded) meter.destroy(new Error('the client disconnected'));
  });
  meter.once('error', () => request.resume());
  return request.pipe(meter);
}

function nameOf(request: Request): string {
  const given = request.headers['x-filename'];
  const name = /filename\*?=(?:UTF-8'')?"?([^";]+)/i.exec(
    request.headers['content-disposition'] ?? '',
  )?.[1];
  const raw = (typeof given === 'string' && given) || name || '';
  try {
    return clean(decodeURIComponent(raw));
  } catch {
    // Node decodes headers as Latin-1; this restores a name sent as raw UTF-8.
    return clean(Buffer.from(raw, 'latin1').toString('utf8'));
  }
}

/** The file name without path, control characters and invisible characters. */
function clean(name: string): string {
  const plain = cleanFileTitle(basename(composeText(name).replaceAll('\\', '/'))).toWellFormed();
  return plain.length > 200 ? plain.slice(0, 150) + plain.slice(-50) : plain || 'file';
}
