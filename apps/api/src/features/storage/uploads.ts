import { Injectable } from '@nestjs/common';
import { MAX_FILE_SIZE } from '@heliograph/contract';
import { stripInvisible } from '@heliograph/domain';
import type { Request } from 'express';
import multer from 'multer';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '../../core/errors.ts';
import { Files } from '../../core/files/files.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';

/** Bytes that have arrived and belong to nobody yet. Whoever receives one adopts or removes it. */
export interface Upload {
  path: string;
  filename: string;
  /** As the client declares it. */
  type?: string;
}

/** What a multipart body may be longer than the file within. */
const ENVELOPE = 64 * 1024;
const tooLarge = () =>
  new AppError('too_large', `A file may have at most ${MAX_FILE_SIZE / 1024 / 1024} MB`, {
    payload: { max: MAX_FILE_SIZE },
  });

/** Takes the bytes of a request: the field `file` of a form, or the body as it is with `x-filename`. */
@Injectable()
export class Uploads {
  constructor(private readonly files: Files) {}

  async receive(request: AppRequest): Promise<Upload> {
    // Said in advance, so refused in advance: nothing is written. What still comes is read away by the server.
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
      else if (error) reject(new AppError('bad_request', 'The form was cut off or is malformed'));
      else if (!file)
        reject(invalid('file', 'required', 'The form must have a file in the field `file`.'));
      else resolve({ path: file.path, filename: clean(file.originalname), type: file.mimetype });
    });
  });
}

async function body(request: AppRequest, folder: string): Promise<Upload> {
  if (request.is('application/x-www-form-urlencoded'))
    throw new AppError('unsupported_media', 'Send the type of the file as Content-Type');
  const path = join(folder, randomUUID());
  try {
    await pipeline(metered(request), createWriteStream(path));
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof AppError) throw error;
    throw new AppError('bad_request', 'The upload was cut off');
  }
  return { path, filename: nameOf(request), type: request.headers['content-type'] };
}

/**
 * Lets a file through and no more. Piped and not in the pipeline, which would hang up on the sender:
 * what is too much is read away instead, so that the sender comes to hear the answer.
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
    if (!request.readableEnded) meter.destroy(new Error('the sender hung up'));
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
    // Header values arrive as Latin-1; a name in bare UTF-8 is read as what it was.
    return clean(Buffer.from(raw, 'latin1').toString('utf8'));
  }
}

/** A name and no path, without what a disk, a header or a reader could stumble over. */
function clean(name: string): string {
  const plain = stripInvisible(basename(name.replaceAll('\\', '/')))
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .trim();
  return plain.length > 200 ? plain.slice(0, 150) + plain.slice(-50) : plain || 'file';
}
