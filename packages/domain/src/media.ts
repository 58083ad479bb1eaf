import type { SendingType } from './types.ts';

/** Payload fields that contain the id of a stored file. */
export const MEDIA_FIELDS = ['image', 'video', 'file', 'audio'] as const;
export type MediaField = (typeof MEDIA_FIELDS)[number];

/** Files that a channel accepts in a field. */
export interface MediaRule {
  /** MIME types as detected by the storage; null for any. */
  types: readonly string[] | null;
  /** In bytes; absent if only the storage limits the size. */
  maxSize?: number;
}

const MB = 1024 * 1024;
const JPEG_PNG = ['image/jpeg', 'image/png'];
const PICTURES = [...JPEG_PNG, 'image/gif', 'image/webp'];
/** Limits of Meta's Cloud API: images up to 5 MB; documents can be larger than the storage allows. */
const WHATSAPP = { image: { types: JPEG_PNG, maxSize: 5 * MB }, file: { types: null } };
/** Limits of Telegram's Bot API: photos up to 10 MB. */
const TELEGRAM = { image: { types: PICTURES, maxSize: 10 * MB }, file: { types: null } };
/** Limits of Meta's Send API: images up to 8 MB. */
const META = {
  image: { types: [...JPEG_PNG, 'image/gif'], maxSize: 8 * MB },
  file: { types: null },
};
/** Limits of MAX's Bot API, apart from sizes that no file of the storage reaches. */
const MAX = { image: { types: [...JPEG_PNG, 'image/gif'] }, file: { types: null } };
const SOCIAL = { image: { types: [...JPEG_PNG, 'image/gif'] }, file: { types: null } };

/** Fields by type. Source: the specification, section 3; types and sizes from the documentation of the channels. */
const MEDIA: Partial<Record<SendingType, Partial<Record<MediaField, MediaRule>>>> = {
  // OMA MMS conformance document: all handsets accept 300 kB.
  mms: { image: { types: [...JPEG_PNG, 'image/gif'], maxSize: 300 * 1024 } },
  viber: { image: { types: PICTURES }, video: { types: ['video/mp4'] } },
  whatsapp: WHATSAPP,
  chat_whatsapp: WHATSAPP,
  telegram: TELEGRAM,
  chat_telegram: TELEGRAM,
  max: MAX,
  facebook: META,
  chat_facebook: META,
  instagram: META,
  chat_instagram: META,
  vk: SOCIAL,
  chat_vk: SOCIAL,
  ok: SOCIAL,
  chat_ok: SOCIAL,
  email: { file: { types: null } },
  voice: { audio: { types: ['audio/wav', 'audio/mpeg'] } },
};

/** The rule of a field; null if the type does not have the field. `mediaRule('sms', 'image')` is null. */
export function mediaRule(type: SendingType, field: MediaField): MediaRule | null {
  return MEDIA[type]?.[field] ?? null;
}

/** Characters of a text beside a picture or a file, whose caption it is. Limits of Meta's Cloud API and of Telegram's Bot API. */
const CAPTIONS: Partial<Record<SendingType, number>> = {
  whatsapp: 1024,
  chat_whatsapp: 1024,
  telegram: 1024,
  chat_telegram: 1024,
};

type Attached = Partial<Record<'image' | 'file', string | null | undefined>>;

/** The maximum length of a caption; null if the text of such a message is none. */
export const captionLimit = (type: SendingType, { image, file }: Attached): number | null =>
  image || file ? (CAPTIONS[type] ?? null) : null;

/** Whether a message of a type can have one attachment only (WhatsApp, MAX). */
export const hasSingleAttachment = (type: SendingType): boolean =>
  type === 'whatsapp' || type === 'chat_whatsapp' || type === 'max';

/** Validates a stored file for a field of a type. Null if it is valid, or if the type does not have the field. */
export function mediaError(
  type: SendingType,
  field: MediaField,
  file: { type: string; size: number },
): 'file_type' | 'file_size' | null {
  const rule = mediaRule(type, field);
  if (!rule) return null;
  if (rule.types && !rule.types.includes(file.type)) return 'file_type';
  return file.size > (rule.maxSize ?? Infinity) ? 'file_size' : null;
}
