import { once } from 'node:events';
import { Transform, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { damaged, locked, tooLarge, unreadable, type FileError } from './file-error.ts';

const MB = 1024 * 1024;
const MAX_ENTRIES = 2000;
export const WORKBOOK = 'xl/workbook.xml';
export const RELS = 'xl/_rels/workbook.xml.rels';
export const STYLES = 'xl/styles.xml';
export const STRINGS = 'xl/sharedStrings.xml';
/** Of an OpenDocument. */
export const CONTENT = 'content.xml';
/** Of an OpenDocument, which says what is encrypted in it. */
export const MANIFEST = 'META-INF/manifest.xml';
/** What newer versions of LibreOffice write instead of all parts. */
const ENCRYPTED = 'encrypted-package';
/** More than a million rows take. */
const MAX_SHEET = 512 * MB;
/** Limits of parts that are held in memory. */
const MAX_HELD: Record<string, number> = {
  [WORKBOOK]: MB,
  [RELS]: MB,
  [MANIFEST]: MB,
  [STYLES]: 16 * MB,
  [STRINGS]: 128 * MB,
  [CONTENT]: 128 * MB,
};
/** Tags of parts that are parsed to objects, about 500 bytes each. Excel's limit of 64,000 cell styles needs fewer. */
const MAX_TAGS = 250_000;
/** Real sheets compress up to 50 times; deflate can reach 1000 times, which only a zip bomb does. */
const MAX_RATIO = 150;
const RATIO_MATTERS = 8 * MB;
/** Bytes from one tag to the next, which limits attributes. */
const MAX_TEXT = MB;
const LESS_THAN = 0x3c;

const openZip = promisify(
  yauzl.open as (
    path: string,
    options: yauzl.Options,
    done: (error: Error | null, zip: ZipFile) => void,
  ) => void,
);

/**
 * A zip archive whose sizes are checked before anything is unpacked. Entries come from the central directory only, and an
 * entry that unpacks to more than its declared size is an error.
 */
export class Archive {
  readonly entries: Map<string, Entry>;
  private readonly zip: ZipFile;

  private constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.zip = zip;
    this.entries = entries;
  }

  static async open(path: string): Promise<Archive> {
    const zip = await openZip(path, { lazyEntries: true, autoClose: false }).catch(damaged);
    if (zip.entryCount > MAX_ENTRIES) throw bomb(`${zip.entryCount} files`);
    const entries = await directory(zip).catch(damaged);
    check([...entries.values()]);
    return new Archive(zip, entries);
  }

  /** The unpacked bytes of an XML part. */
  async part(name: string): Promise<Readable> {
    const entry = this.entries.get(name);
    if (!entry) throw unreadable('The archive is not a workbook. Save the table as .xlsx or .csv.');
    const stream = await promisify(this.zip.openReadStream.bind(this.zip))(entry).catch(damaged);
    if (name !== WORKBOOK && name !== RELS && name !== STYLES) return stream;
    const limited = limitTags();
    stream.once('error', (error) => limited.destroy(error));
    limited.once('close', () => stream.destroy());
    return stream.pipe(limited);
  }
}

async function directory(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  zip.on('entry', (entry: Entry) => {
    entries.set(entry.fileName, entry);
    zip.readEntry();
  });
  zip.readEntry();
  await once(zip, 'end');
  return entries;
}

/** Checks each part, since the ratio of the whole archive can hide a bomb. */
function check(entries: Entry[]): void {
  for (const entry of entries) {
    const { fileName, uncompressedSize: unpacked, compressedSize: packed } = entry;
    if (unpacked > RATIO_MATTERS && unpacked / Math.max(1, packed) > MAX_RATIO)
      throw bomb(`${Math.round(unpacked / MB)} MB`);
    if (unpacked > (MAX_HELD[fileName] ?? MAX_SHEET)) throw tooLarge();
    if (entry.isEncrypted() || fileName === ENCRYPTED) throw locked();
  }
}

function bomb(what: string): FileError {
  return unreadable(
    `The archive unpacks to ${what}, which exceeds the limit. Save the table again as .xlsx or .csv.`,
  );
}

/** Limits tags and text of parts that exceljs parses to objects. */
function limitTags(): Transform {
  let text = 0;
  let tags = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const last = chunk.lastIndexOf('<');
      text = last < 0 ? text + chunk.length : chunk.length - last;
      for (const byte of chunk) if (byte === LESS_THAN) tags++;
      done(text > MAX_TEXT || tags > MAX_TAGS ? tooLarge() : null, chunk);
    },
  });
}
