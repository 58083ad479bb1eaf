import { describe, expect, it } from 'vitest';
import { hasSingleAttachment, mediaError, mediaRule, type MediaField } from './media.ts';
import { SENDING_TYPES, type SendingType } from './types.ts';

const MB = 1024 * 1024;

describe('mediaError', () => {
  it.each<[SendingType, MediaField, string, number, ReturnType<typeof mediaError>]>([
    ['whatsapp', 'image', 'image/png', 5 * MB, null],
    ['whatsapp', 'image', 'image/png', 5 * MB + 1, 'file_size'],
    ['whatsapp', 'image', 'image/gif', 1, 'file_type'],
    ['whatsapp', 'image', 'application/pdf', 1, 'file_type'],
    ['whatsapp', 'file', 'application/pdf', 20 * MB, null],
    ['viber', 'image', 'image/webp', 20 * MB, null],
    ['viber', 'image', 'image/svg+xml', 1, 'file_type'],
    ['viber', 'video', 'video/mp4', 20 * MB, null],
    ['viber', 'video', 'image/png', 1, 'file_type'],
    ['mms', 'image', 'image/jpeg', 300 * 1024 + 1, 'file_size'],
    ['voice', 'audio', 'audio/mpeg', MB, null],
    ['voice', 'audio', 'audio/ogg', MB, 'file_type'],
    ['max', 'image', 'image/gif', 20 * MB, null],
    ['max', 'image', 'image/webp', 1, 'file_type'],
    ['email', 'file', 'application/octet-stream', MB, null],
    ['sms', 'image', 'image/png', 1, null],
  ])('%s: %s of %s with %d bytes is %s', (type, field, mime, size, expected) => {
    expect(mediaError(type, field, { type: mime, size })).toBe(expected);
  });
});

it('has the fields of each type', () => {
  const having = (field: MediaField) => SENDING_TYPES.filter((type) => mediaRule(type, field));
  expect(having('audio')).toEqual(['voice']);
  expect(having('video')).toEqual(['viber']);
  expect(having('image')).not.toContain('email');
  expect(having('file')).toContain('email');
  expect(SENDING_TYPES.filter(hasSingleAttachment)).toEqual(['whatsapp', 'max', 'chat_whatsapp']);
});
