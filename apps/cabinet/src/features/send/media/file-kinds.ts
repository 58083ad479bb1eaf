import type { SendingType } from '@heliograph/contract';
import { mediaError, mediaRule, type MediaField } from '@heliograph/domain';
import type { TFunction } from 'i18next';
import type { Formats } from '../../../core/formats.ts';

/** The fields of a type that take the file, the most likely first. */
export interface Place {
  type: SendingType;
  fields: readonly MediaField[];
}

/** MIME types that some field takes; none where one takes any. */
export function typesFor({ type, fields }: Place): string[] {
  const types = fields.map((field) => mediaRule(type, field)?.types ?? null);
  return types.includes(null) ? [] : types.flatMap((some) => some ?? []);
}

type File = Parameters<typeof mediaError>[2];

/** The field that takes a file; null when none does. */
export const fieldFor = ({ type, fields }: Place, file: File): MediaField | null =>
  fields.find((field) => mediaError(type, field, file) === null) ?? null;

/** Why no field takes it, in words. */
export function misfitText(
  t: TFunction,
  formats: Formats,
  { type, fields }: Place,
  file: File,
): string {
  const tooLarge = fields.find((field) => mediaError(type, field, file) === 'file_size');
  if (!tooLarge) return t(`send:wrongKind.${fields.length > 1 ? 'any' : fields[0]}`);
  return t('send:tooLarge', { size: formats.bytes(mediaRule(type, tooLarge)!.maxSize!) });
}
