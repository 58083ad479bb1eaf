/** In bytes: 20 MiB. */
export const MAX_FILE_SIZE = 20_971_520;

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const ODF = 'application/vnd.oasis.opendocument.';

/** What a person chooses files by, and what an upload can be restricted to. */
export const FILE_PRESETS = ['all', 'document', 'sheet', 'image', 'audio'] as const;
export type FilePreset = (typeof FILE_PRESETS)[number];

export interface PresetRule {
  /** MIME types as detected by the storage; null for any. */
  types: readonly string[] | null;
  /** For the file dialog and for people; empty for any. */
  extensions: readonly string[];
  /** In bytes. */
  maxSize: number;
}

export const PRESET_RULES: Record<FilePreset, PresetRule> = {
  all: { types: null, extensions: [], maxSize: MAX_FILE_SIZE },
  document: {
    types: [
      'application/pdf',
      'application/msword',
      `${OFFICE}wordprocessingml.document`,
      `${OFFICE}presentationml.presentation`,
      'text/plain',
    ],
    extensions: ['pdf', 'doc', 'docx', 'pptx', 'txt'],
    maxSize: MAX_FILE_SIZE,
  },
  sheet: {
    types: [
      'text/csv',
      'text/plain',
      'text/vcard',
      `${OFFICE}spreadsheetml.sheet`,
      'application/vnd.ms-excel',
      `${ODF}spreadsheet`,
    ],
    extensions: ['csv', 'xlsx', 'xls', 'ods', 'txt', 'vcf'],
    maxSize: MAX_FILE_SIZE,
  },
  image: {
    types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    extensions: ['png', 'jpg', 'jpeg', 'gif', 'webp'],
    maxSize: MAX_FILE_SIZE,
  },
  audio: {
    types: ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/mp4'],
    extensions: ['mp3', 'wav', 'ogg', 'm4a'],
    maxSize: MAX_FILE_SIZE,
  },
};

/** Validates a file, by its detected type, for a preset. Null if it is valid. */
export function presetError(
  preset: FilePreset,
  { type, size }: { type: string; size: number },
): 'file_type' | 'file_size' | null {
  const { types, maxSize } = PRESET_RULES[preset];
  if (types && !types.includes(type)) return 'file_type';
  return size > maxSize ? 'file_size' : null;
}

/**
 * The same for a file of a computer, before it is uploaded: by its extension, since browsers do not look into files and name
 * types as the system does. The storage decides.
 */
export function localFileError(
  { extensions, maxSize }: Pick<PresetRule, 'extensions' | 'maxSize'>,
  { name, size }: { name: string; size: number },
): 'empty' | 'file_type' | 'file_size' | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (extensions.length && !extensions.includes(extension)) return 'file_type';
  if (size === 0) return 'empty';
  return size > maxSize ? 'file_size' : null;
}
