import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type GetObjectCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { isUuid } from '@heliograph/domain';
import type { Config } from '../config.ts';
import type { AppError } from '../errors.ts';
import { Files, folderName, type ByteRange, type LinkHeaders } from './files.ts';
import { createS3Client, isNotImplemented, toAppError } from './s3-client.ts';

/** Of a multipart upload; the smallest that S3 allows. Two of them are in memory at a time. */
const PART_BYTES = 5 * 1024 * 1024;
const PARALLEL_PARTS = 2;
/** How often a download that breaks off is continued where it stopped. */
const RESUMES = 2;
/** Long enough to begin a download, since the link is made when it is used. */
const LINK_SECONDS = 300;

/**
 * Objects `<prefix><last two digits of the id>/<id>` of a bucket. An object appears when its upload is complete; parts of an
 * upload that was not completed are aborted by it or, after a crash, by `dropIncoming`.
 */
export class S3Files extends Files {
  private readonly client: S3Client;
  /** Signs links, to the address at which browsers reach the bucket; null if they do not. */
  private readonly signer: S3Client | null;
  private readonly timeoutMs: number;

  constructor(private readonly config: Config) {
    super(config.FILES_DIR);
    this.client = createS3Client(config, config.S3_ENDPOINT);
    this.signer = config.S3_LINKS
      ? createS3Client(config, config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT)
      : null;
    this.timeoutMs = config.S3_TIMEOUT_SECONDS * 1000;
  }

  override async check(): Promise<void> {
    await super.check();
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.config.S3_BUCKET }));
    } catch (error) {
      throw toAppError(error);
    }
  }

  override async adopt(path: string, id: string): Promise<void> {
    await this.write(id, createReadStream(path));
    await rm(path, { force: true });
  }

  override async write(id: string, source: Readable): Promise<void> {
    // An error of the source, as distinct from one of S3, which ends the source as well.
    let failure: unknown;
    async function* relay() {
      const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      for (;;) {
        const { value, done } = await chunks.next().catch((error: unknown) => {
          failure = error;
          throw error;
        });
        if (done) return;
        yield value;
      }
    }
    // It may fail before it is read.
    source.on('error', () => undefined);
    const upload = new Upload({
      client: this.client,
      params: {
        ...this.object(id),
        Body: Readable.from(relay(), { objectMode: false }),
        // Nothing is run if somebody opens the bucket to browsers.
        ContentType: 'application/octet-stream',
        ContentDisposition: 'attachment',
      },
      partSize: PART_BYTES,
      queueSize: PARALLEL_PARTS,
    });
    try {
      await upload.done();
    } catch (error) {
      throw failure ?? toAppError(error);
    } finally {
      source.destroy();
    }
  }

  override async read(id: string, range?: ByteRange): Promise<Readable> {
    const first = await this.get(id, range);
    const body = Readable.from(this.chunks(id, range, first), { objectMode: false });
    body.once('close', () => (first.Body as Readable).destroy());
    return body;
  }

  override async withLocal<T>(id: string, work: (path: string) => Promise<T>): Promise<T> {
    const path = join(await this.incoming(), randomUUID());
    try {
      await pipeline(await this.read(id), createWriteStream(path, { flags: 'wx' }));
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  override async link(id: string, { type, disposition }: LinkHeaders): Promise<string | null> {
    if (!this.signer) return null;
    const command = new GetObjectCommand({
      ...this.object(id),
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: 'private, no-cache',
    });
    return getSignedUrl(this.signer, command, { expiresIn: LINK_SECONDS });
  }

  override async storedIn(folder: number): Promise<string[]> {
    const Prefix = `${this.config.S3_PREFIX}${folderName(folder)}/`;
    const ids: string[] = [];
    return this.call(async () => {
      const pages = paginateListObjectsV2(
        { client: this.client },
        { Bucket: this.config.S3_BUCKET, Prefix },
      );
      for await (const { Contents = [] } of pages)
        ids.push(
          ...Contents.map(({ Key }) => Key!.slice(Prefix.length)).filter((id) => isUuid(id)),
        );
      return ids;
    });
  }

  override async removeOlder(id: string, ageMs: number): Promise<void> {
    const { LastModified } = await this.call(() =>
      this.client.send(new HeadObjectCommand(this.object(id))),
    ).catch((error: AppError) => {
      if (error.code === 'not_found') return { LastModified: undefined };
      throw error;
    });
    if (LastModified && Date.now() - LastModified.getTime() > ageMs) await this.remove(id);
  }

  override async remove(id: string): Promise<void> {
    await this.call(() => this.client.send(new DeleteObjectCommand(this.object(id))));
  }

  /** Also ends multipart uploads of processes that were killed: their parts are stored and billed, but nothing lists them. */
  override async dropIncoming(ageMs: number): Promise<void> {
    await super.dropIncoming(ageMs);
    try {
      await this.abortUploads(ageMs);
    } catch (error) {
      if (!isNotImplemented(error)) throw toAppError(error);
    }
  }

  private async abortUploads(ageMs: number): Promise<void> {
    const { S3_BUCKET: Bucket, S3_PREFIX: Prefix } = this.config;
    // One page; the next sweep continues.
    const { Uploads = [] } = await this.client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix }),
    );
    for (const { Key, UploadId, Initiated } of Uploads)
      if (Initiated && Date.now() - Initiated.getTime() > ageMs)
        await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }

  private object(id: string): { Bucket: string; Key: string } {
    return {
      Bucket: this.config.S3_BUCKET!,
      Key: `${this.config.S3_PREFIX}${id.slice(-2)}/${id}`,
    };
  }

  private get(id: string, range?: ByteRange, IfMatch?: string): Promise<GetObjectCommandOutput> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    return this.call(() =>
      this.client.send(new GetObjectCommand({ ...this.object(id), Range, IfMatch })),
    );
  }

  /** The contents, continued by another request where a connection breaks off. A slow reader does not count as a timeout. */
  private async *chunks(
    id: string,
    range: ByteRange | undefined,
    first: GetObjectCommandOutput,
  ): AsyncGenerator<Buffer, void, void> {
    const end = range?.end ?? first.ContentLength! - 1;
    let at = range?.start ?? 0;
    let response = first;
    for (let resumes = RESUMES; at <= end;) {
      const body = response.Body as Readable;
      try {
        const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
        for (;;) {
          const { value, done } = await within(this.timeoutMs, iterator.next());
          if (done) break;
          at += value.length;
          yield value;
        }
        if (at <= end) throw new Error(`the response ended after ${at} bytes`);
      } catch (error) {
        if (resumes-- <= 0) throw toAppError(error);
        response = await this.get(id, { start: at, end }, first.ETag);
      } finally {
        body.destroy();
      }
    }
  }

  private async call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toAppError(error);
    }
  }
}

/** Rejects when a promise takes longer than `ms`. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no data for ${ms} ms`)), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
