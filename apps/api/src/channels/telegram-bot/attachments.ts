import { LRUCache } from 'lru-cache';
import { FormData } from 'undici';
import { z } from 'zod';

import type { Refused } from '../bots.ts';
import type { MessageFile, MessageFiles } from '../channel.ts';

const MB = 1024 * 1024;
/** Of the Bot API. */
const MAX_BYTES = { photo: 10 * MB, animation: 50 * MB, document: 50 * MB };
const MAX_FILENAME = 240;
const MAX_KEPT = 1_000;
/** Telegram keeps files, but promises nothing. */
const KEPT_MS = 24 * 3_600_000;

type Kind = keyof typeof MAX_BYTES;
const METHODS = {
  photo: 'sendPhoto',
  animation: 'sendAnimation',
  document: 'sendDocument',
} as const;

/** A file that goes with a message. */
export interface Attachment {
  key: string;
  kind: Kind;
  method: (typeof METHODS)[Kind];
  /** Whether Telegram has it already. */
  isKept: boolean;
  bodyOf(fields: { chat_id: number; caption?: string }): object | FormData;
  /** For the log of exchanges. */
  shown: object;
}

/** The files of messages. Each is uploaded with the first message that has it, and named in later ones. */
export class Attachments {
  private readonly kept = new LRUCache<string, { kind: Kind; id: string }>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
  });

  constructor(private readonly files: MessageFiles) {}

  async of(fileId: string, isImage: boolean): Promise<Attachment | Refused | 'away'> {
    const key = `${fileId} ${isImage}`;
    const kept = this.kept.get(key);
    if (kept) return known(key, kept.kind, kept.id);
    const limit = MAX_BYTES[isImage ? 'photo' : 'document'];
    const file = await this.files.read(fileId, limit).catch(() => 'away' as const);
    if (file === 'away') return file;
    if (file === 'missing') return { code: 'invalid_payload', text: 'The file does not exist.' };
    if (file === 'too_large')
      return { code: 'too_long', text: 'Images have up to 10 MB, files up to 50 MB.' };
    // As a photo it would not move.
    const kind = !isImage ? 'document' : file.type === 'image/gif' ? 'animation' : 'photo';
    return uploaded(key, kind, file);
  }

  /** What Telegram has called the file. */
  keep({ key, kind }: Attachment, result: unknown): void {
    const id = fileIdIn(kind, result);
    if (id) this.kept.set(key, { kind, id });
  }

  /** Whether the message was refused because Telegram does not know the file any more: then it is uploaded again. */
  isForgotten({ key, isKept }: Attachment, { carrierCode, text }: Refused): boolean {
    if (!isKept || carrierCode !== 400 || !/file/i.test(text ?? '')) return false;
    this.kept.delete(key);
    return true;
  }
}

const known = (key: string, kind: Kind, id: string): Attachment => ({
  key,
  kind,
  method: METHODS[kind],
  isKept: true,
  bodyOf: (fields) => ({ ...fields, [kind]: id }),
  shown: { [kind]: 'known' },
});

const uploaded = (key: string, kind: Kind, { filename, type, bytes }: MessageFile): Attachment => ({
  key,
  kind,
  method: METHODS[kind],
  isKept: false,
  bodyOf: (fields) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
    const name = filename.toWellFormed().slice(-MAX_FILENAME);
    form.append(kind, new Blob([new Uint8Array(bytes)], { type }), name);
    return form;
  },
  shown: { [kind]: { type, bytes: bytes.length } },
});

const File = z.object({ file_id: z.string().min(1).max(300) });
const Message = z.looseObject({
  photo: z.array(File).optional(),
  animation: File.optional(),
  document: File.optional(),
});

/** Of a photo Telegram makes several sizes, the largest of which is the last. */
function fileIdIn(kind: Kind, result: unknown): string | undefined {
  const { data } = Message.safeParse(result);
  return kind === 'photo' ? data?.photo?.at(-1)?.file_id : data?.[kind]?.file_id;
}
