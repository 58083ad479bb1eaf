import { LRUCache } from 'lru-cache';
import { FormData } from 'undici';
import { z } from 'zod';

import {
  ChannelDown,
  type DriverContext,
  type MessageFile,
  type MessageFiles,
  UnknownOutcome,
} from '../channel.ts';
import type { Refused } from './errors.ts';
import { type Graph, MetaId, readDocument } from './graph.ts';

const MB = 1024 * 1024;
/** Of Meta. Documents may have more than the storage takes. */
const MAX_BYTES = { image: 5 * MB, video: 16 * MB, audio: 16 * MB, document: 100 * MB };
const MAX_FILENAME = 240;
/** Meta keeps a file for 30 days. */
const KEPT_MS = 24 * 3_600_000;
const MAX_KEPT = 1_000;
const RETRY_MS = 10_000;

/** A file at Meta. A document shows its name. */
export interface Media {
  kind: keyof typeof MAX_BYTES;
  id: string;
  filename?: string;
}

const Uploaded = z.object({ id: MetaId });

/** Uploads the files of messages, each once for all messages that have it. */
export class MediaStore {
  private readonly kept = new LRUCache<string, Promise<Media | Refused>>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
  });

  constructor(
    private readonly graph: Graph,
    private readonly phoneNumberId: string,
    private readonly files: MessageFiles,
  ) {}

  /** Throws ChannelDown if it cannot be uploaded now. */
  async of(
    fileId: string,
    isImage: boolean,
    context: Pick<DriverContext, 'signal' | 'trace'>,
  ): Promise<Media | Refused> {
    const key = `${fileId} ${isImage}`;
    const kept = this.kept.get(key);
    if (kept) return kept;
    const uploading = this.upload(fileId, isImage, context);
    this.kept.set(key, uploading);
    // What failed is tried again with the next message.
    const forget = () => this.kept.delete(key);
    uploading.then((one) => ('code' in one ? forget() : undefined), forget);
    return uploading;
  }

  /** Meta does not have it any more, or cannot use it. */
  forget(fileId: string): void {
    for (const isImage of [true, false]) this.kept.delete(`${fileId} ${isImage}`);
  }

  private async upload(
    fileId: string,
    isImage: boolean,
    { signal, trace }: Pick<DriverContext, 'signal' | 'trace'>,
  ): Promise<Media | Refused> {
    const limit = MAX_BYTES[isImage ? 'image' : 'document'];
    // The store may be away: other messages need none.
    const file = await this.files.read(fileId, limit).catch(() => undefined);
    if (!file) return { code: 'later' };
    if (file === 'missing') return { code: 'invalid_payload', text: 'The file does not exist.' };
    if (file === 'too_large') return TOO_LARGE;
    const kind = isImage ? 'image' : kindOf(file);
    if (file.bytes.length > MAX_BYTES[kind]) return TOO_LARGE;
    const form = new FormData();
    form.append('messaging_product', 'whatsapp');
    form.append('type', file.type);
    form.append('file', new Blob([new Uint8Array(file.bytes)], { type: file.type }), nameOf(file));
    const shown = () => ({ type: file.type, bytes: file.bytes.length });
    try {
      const path = `${this.phoneNumberId}/media`;
      const reply = await this.graph.call('POST', path, form, { signal, trace }, shown);
      if ('refused' in reply) return reply.refused;
      const { id } = readDocument(Uploaded, reply.document);
      return { kind, id, ...(kind === 'document' && { filename: nameOf(file) }) };
    } catch (cause) {
      // A file that may be at Meta is no message that may have been sent.
      if (!(cause instanceof UnknownOutcome)) throw cause;
      throw new ChannelDown(`a file was not uploaded: ${cause.message}`, RETRY_MS, { cause });
    }
  }
}

const TOO_LARGE: Refused = {
  code: 'too_long',
  text: 'Images have up to 5 MB, videos and sounds up to 16 MB.',
};

const VIDEOS = new Set(['video/mp4', 'video/3gpp']);
const SOUNDS = new Set(['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg']);

const kindOf = ({ type }: MessageFile): Media['kind'] =>
  VIDEOS.has(type) ? 'video' : SOUNDS.has(type) ? 'audio' : 'document';

const nameOf = ({ filename }: MessageFile): string => filename.toWellFormed().slice(-MAX_FILENAME);
