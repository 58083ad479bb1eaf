import { extname } from 'node:path';

const UNKNOWN = 'application/octet-stream';
const ZIP = 'application/zip';
const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';

const BY_EXTENSION: Record<string, string> = {
  '.csv': 'text/csv',
  '.txt': 'text/plain',
  '.vcf': 'text/vcard',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.doc': 'application/msword',
  '.xls': 'application/vnd.ms-excel',
  '.docx': `${OFFICE}wordprocessingml.document`,
  '.xlsx': `${OFFICE}spreadsheetml.sheet`,
  '.ods': ODS,
  '.pptx': `${OFFICE}presentationml.presentation`,
};

/** Formats with a signature. A file that is declared as one of them but lacks the signature gets another type. */
const SIGNATURES: [type: string, offset: number, bytes: string][] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBP'],
  ['audio/wav', 8, 'WAVE'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/mpeg', 0, 'ID3'],
  ['application/pdf', 0, '%PDF-'],
  [ZIP, 0, 'PK\x03\x04'],
  [ZIP, 0, 'PK\x05\x06'],
];
const MP4_AUDIO = /^(M4A|M4B|F4A)/;
const EBML = '\x1a\x45\xdf\xa3';

/** The type by the first 64 bytes, or null. */
function signature(head: Buffer): string | null {
  const text = head.toString('latin1', 0, 64);
  for (const [type, offset, bytes] of SIGNATURES) {
    if (offset === 8 && !text.startsWith('RIFF')) continue;
    if (text.startsWith(bytes, offset)) return type;
  }
  if (text.startsWith('ftyp', 4)) return MP4_AUDIO.test(text.slice(8)) ? 'audio/mp4' : 'video/mp4';
  if (text.startsWith(EBML) && text.includes('webm')) return 'video/webm';
  // Frames of MPEG audio, layer II or III, without an ID3 tag.
  const isMpegAudio = head[0] === 0xff && [0xfa, 0xfb, 0xf2, 0xf3, 0xfc, 0xfd].includes(head[1]!);
  return isMpegAudio ? 'audio/mpeg' : null;
}

const SIGNED = new Set([
  ...SIGNATURES.map(([type]) => type),
  'video/mp4',
  'audio/mp4',
  'video/webm',
]);
/** Types that browsers display without running scripts. */
const INERT = new Set([...SIGNED, 'text/csv', 'text/plain', 'application/json']);

/** Documents in zip format. */
const isArchive = (type?: string): boolean => type === ODS || !!type?.startsWith(OFFICE);

/** The content type of a download. Types that may contain scripts (SVG, HTML, XML) and unknown types are served as bytes. */
export function servedType(type: string): string {
  return INERT.has(type) || type.startsWith(OFFICE) ? type : UNKNOWN;
}

const VAGUE = new Set([UNKNOWN, 'binary/octet-stream', '']);

/**
 * The MIME type of a file by its first bytes, else by its extension, else as declared. For zip files the extension or the
 * declared type decides which document it is.
 */
export function fileType(head: Buffer, filename: string, declared = ''): string {
  const byName = BY_EXTENSION[extname(filename).toLowerCase()];
  const claimed = declared.split(';')[0]!.trim().toLowerCase();
  const sniffed = signature(head);
  if (sniffed === ZIP) {
    return [byName, claimed].find(isArchive) ?? ZIP;
  }
  if (sniffed) return sniffed;
  if (byName && !isArchive(byName)) return byName;
  const isType = /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/.test(claimed);
  const isAccepted = isType && !SIGNED.has(claimed) && !isArchive(claimed);
  return isAccepted && !VAGUE.has(claimed) ? claimed : UNKNOWN;
}
