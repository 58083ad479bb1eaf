import { LRUCache } from 'lru-cache';
import { FormData } from 'undici';
import { z } from 'zod';

import type { Refused } from '../bots.ts';
import {
  type DriverContext,
  type MessageFile,
  type MessageFiles,
  UnknownOutcome,
} from '../channel.ts';
import type { MaxApi } from './max-api.ts';

/** Of images, by the API; files are held in memory, too. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_FILENAME = 240;
const MAX_KEPT = 1_000;
/** MAX keeps files, but promises nothing. */
const KEPT_MS = 24 * 3_600_000;
const MAX_TOKEN = 4_000;
/** A file that MAX refuses is not uploaded again for each recipient of a bulk. */
const REFUSED_MS = 600_000;

type Context = Pick<DriverContext, 'signal' | 'trace'>;
type Kind = 'image' | 'file';

/** A file that MAX has, as messages name it. */
export interface Attachment {
  type: Kind;
  payload: object;
}
export interface Attached {
  key: string;
  /** Whether it was uploaded for an earlier message. */
  isKept: boolean;
  attachment: Attachment;
}

const Token = z.object({ token: z.string().min(1).max(MAX_TOKEN) });
const Payload = {
  /** An image has a token under an id that MAX gives it. */
  image: z.object({ photos: z.record(z.string().max(MAX_TOKEN), Token) }),
  file: Token,
};

/** The files of messages. Each is uploaded before the first message that has it, and named in later ones. */
export class Attachments {
  private readonly kept = new LRUCache<string, Attachment | Refused>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
  });

  constructor(
    private readonly files: MessageFiles,
    private readonly api: MaxApi,
  ) {}

  /** 'away' if the store or the upload does not answer: nothing was sent to anybody. Throws ChannelDown. */
  async of(
    { id, isImage }: { id: string; isImage: boolean },
    context: Context,
  ): Promise<Attached | Refused | 'away'> {
    const key = `${id} ${isImage}`;
    const known = this.kept.get(key);
    if (known) return 'code' in known ? known : { key, isKept: true, attachment: known };
    const file = await this.files.read(id, MAX_BYTES).catch(() => 'away' as const);
    if (file === 'away') return file;
    if (file === 'missing') return { code: 'invalid_payload', text: 'The file does not exist.' };
    if (file === 'too_large') return { code: 'too_long', text: 'Files have up to 50 MB.' };
    try {
      const attachment = await this.upload(isImage ? 'image' : 'file', file, context);
      if ('code' in attachment) {
        this.refuse(key, attachment);
        return attachment;
      }
      this.kept.set(key, attachment);
      return { key, isKept: false, attachment };
    } catch (error) {
      if (error instanceof UnknownOutcome) return 'away';
      throw error;
    }
  }

  /** It is not uploaded for some time. */
  refuse(key: string, why: Refused): void {
    this.kept.set(key, why, { ttl: REFUSED_MS });
  }

  /** It is uploaded again when it is asked for. */
  forget(key: string): void {
    this.kept.delete(key);
  }

  /** Throws ChannelDown, or UnknownOutcome. */
  private async upload(
    type: Kind,
    { filename, type: media, bytes }: MessageFile,
    context: Context,
  ): Promise<Attachment | Refused> {
    const place = await this.api.post(`/uploads?type=${type}`, undefined, context);
    if ('refused' in place) return place.refused;
    const form = new FormData();
    const name = filename.toWellFormed().slice(-MAX_FILENAME);
    form.append('data', new Blob([new Uint8Array(bytes)], { type: media }), name);
    const uploaded = await this.api.upload(place.result, form, context);
    if ('refused' in uploaded) return uploaded.refused;
    const { data: payload } = Payload[type].safeParse(uploaded.result);
    return payload
      ? { type, payload }
      : { code: 'invalid_payload', text: 'MAX does not take the file.' };
  }
}
