import type { SendingType } from './types.ts';

/** Fields of a payload that name a stored file. */
export const MEDIA_FIELDS = ['image', 'video', 'file', 'audio'] as const;
export type MediaField = (typeof MEDIA_FIELDS)[number];

/** What a channel takes in a field. */
export interface MediaRule {
  /** MIME types as the storage finds them; null for any. */
  types: readonly string[] | null;
  /** In bytes; absent where the channel takes whatever the storage keeps. */
  maxSize?: number;
}

const MB = 1024 * 1024;
const JPEG_PNG = ['image/jpeg', 'image/png'];
const PICTURES = [...JPEG_PNG, 'image/gif', 'image/webp'];
/** Of Meta's Cloud API: pictures of 5 MB, documents of more than the storage keeps. */
const WHATSAPP = { image: { types: JPEG_PNG, maxSize: 5 * MB }, file: { types: null } };
/** Of Telegram's Bot API: photos of 10 MB. */
const TELEGRAM = { image: { types: PICTURES, maxSize: 10 * MB }, file: { types: null } };
/** Of Meta's Send API: pictures of 8 MB. */
const META = {
  image: { types: [...JPEG_PNG, 'image/gif'], maxSize: 8 * MB },
  file: { types: null },
};
const SOCIAL = { image: { types: [...JPEG_PNG, 'image/gif'] }, file: { types: null } };

/** Specification, section 3, says which fields there are; kinds and sizes are those that the channels publish. */
const MEDIA: Partial<Record<SendingType, Partial<Record<MediaField, MediaRule>>>> = {
  // OMA MMS conformance: 300 kB is what every handset takes.
  mms: { image: { types: [...JPEG_PNG, 'image/gif'], maxSize: 300 * 1024 } },
  viber: { image: { types: PICTURES }, video: { types: ['video/mp4'] } },
  whatsapp: WHATSAPP,
  chat_whatsapp: WHATSAPP,
  telegram: TELEGRAM,
  chat_telegram: TELEGRAM,
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

/** What a type takes in a field; null when it has no such field. `mediaRule('sms', 'image')` is null. */
export function mediaRule(type: SendingType, field: MediaField): MediaRule | null {
  return MEDIA[type]?.[field] ?? null;
}

/** A message to WhatsApp carries one attachment. */
export const hasSingleAttachment = (type: SendingType): boolean =>
  type === 'whatsapp' || type === 'chat_whatsapp';

/** What is wrong with a stored file in a field of a type; null when nothing is, or when the type has no such field. */
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
