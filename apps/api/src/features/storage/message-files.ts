import type { Payload, SendingType } from '@heliograph/contract';
import { MEDIA_FIELDS, mediaError } from '@heliograph/domain';
import { invalid } from '../../core/errors.ts';
import type { StoredFile } from './stored-file.entity.ts';

/** A message; `place` is its path in the request. */
export interface MessageFiles {
  place: string;
  type: SendingType;
  payload: Partial<Payload>;
}

/** A file that a field of a message names; `place` is the path of the field. */
interface NamedFile {
  place: string;
  type: SendingType;
  field: (typeof MEDIA_FIELDS)[number];
  id: string;
}

const MEDIA_ERRORS = {
  file_type: (type: string, field: string) =>
    `The type ${type} does not support files of this kind as ${field}.`,
  file_size: (type: string, field: string) =>
    `The file is too large for the ${field} of the type ${type}.`,
};

export const mediaIn = (messages: MessageFiles[]): NamedFile[] =>
  messages.flatMap(({ place, type, payload }) =>
    MEDIA_FIELDS.flatMap((field) => {
      const id = payload[field]?.toLowerCase();
      return id ? [{ place: `${place}.${field}`, type, field, id }] : [];
    }),
  );

/** Throws if a file has a wrong type or size for the field that names it. `files` has all of them. */
export function assertMedia(named: NamedFile[], files: StoredFile[]): void {
  for (const { place, type, field, id } of named) {
    const rule = mediaError(
      type,
      field,
      files.find((file) => file.id === id)!,
    );
    if (rule) throw invalid(place, rule, MEDIA_ERRORS[rule](type, field));
  }
}
