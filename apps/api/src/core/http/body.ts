import { BODY_LIMIT, type Endpoint } from '@heliograph/contract';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import qs from 'qs';
import getRawBody from 'raw-body';
import { AppError } from '../errors.ts';
import { parseExactly } from './exact-json.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAIL_TYPE = 'message/rfc822';
/** Says nothing of what the body is. */
const PLAIN_TYPE = 'text/plain';
/** Other names under which systems send the same. */
const FOREIGN_NAMES: [names: RegExp, type: string][] = [
  [/^(?:text\/json|application\/[\w.-]{1,80}\+json)$/, JSON_TYPE],
  [/^(?:|application\/octet-stream)$/, PLAIN_TYPE],
];
const UTF_8 = 'utf-8';
/** Twice the depth of any body of the contract. Validation is recursive. */
const MAX_DEPTH = 20;
/** Values of one body: two lists of `MAX_RECIPIENTS` and the other fields. */
const MAX_VALUES = 110_000;
/** Fields of one body, which cost more than list elements: a thousand reports with twenty fields each. */
const MAX_FIELDS = 20_000;

export interface Body {
  /** The raw bytes, over which signatures are computed. */
  bytes: Buffer;
  parse: () => object;
}

/** Reads the body of a request; undefined if there is none. */
export async function readBody(
  request: IncomingMessage,
  {
    bodyLimit = BODY_LIMIT,
    maxFields = MAX_FIELDS,
    form,
    foreign,
  }: Pick<Endpoint, 'bodyLimit' | 'maxFields' | 'form' | 'foreign'>,
): Promise<Body | undefined> {
  if (!hasBody(request)) return undefined;
  refuseEncoded(request);
  const { type, charset } = mediaIn(request.headers['content-type'], foreign);
  const asJson = (text: Buffer) => parseJson(text, maxFields, foreign ? parseExactly : JSON.parse);
  const asForm = (text: Buffer) => parseForm(text, charset);
  const parsers: Record<string, (text: Buffer) => object> = {
    [JSON_TYPE]: asJson,
    ...(form && { [FORM_TYPE]: asForm }),
    ...(foreign && {
      [MAIL_TYPE]: parseMail,
      [PLAIN_TYPE]: (text: Buffer) => (isDocument(text) ? asJson(text) : asForm(text)),
    }),
  };
  const isReadable = charset === UTF_8 || (foreign && isCharset(charset));
  const parse = isReadable && Object.hasOwn(parsers, type) ? parsers[type] : undefined;
  if (!parse) {
    const types = Object.keys(parsers).join(' or ');
    throw new AppError('unsupported_media', `The request body must be ${types} in UTF-8`);
  }
  const bytes = await read(request, bodyLimit);
  const text = charset === UTF_8 ? bytes : Buffer.from(new TextDecoder(charset).decode(bytes));
  // Decoding would replace bytes of another encoding without an error.
  if (parse !== parseMail && !isUtf8(text))
    throw new AppError('malformed_json', 'The request body is not valid UTF-8');
  return bytes.length ? { bytes, parse: () => parse(text) } : undefined;
}

/** Compressed bodies are refused, since a small one may inflate to a large one. */
export function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('unsupported_media', 'The request body must not have a Content-Encoding');
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

/** The type under the name that it has here, and the charset, in small letters. */
function mediaIn(header = '', isForeign?: true): { type: string; charset: string } {
  const [given = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const named = parameters.find((parameter) => parameter.startsWith('charset='));
  const charset = named?.slice('charset='.length).replace(/^"(.*)"$/, '$1') ?? UTF_8;
  const type = isForeign && FOREIGN_NAMES.find(([names]) => names.test(given))?.[1];
  return { type: type || given, charset: charset === 'utf8' ? UTF_8 : charset };
}

function isCharset(name: string): boolean {
  try {
    return Boolean(new TextDecoder(name));
  } catch {
    return false;
  }
}

/** Whether a text is JSON rather than a form. */
const isDocument = (text: Buffer) => /^\ufeff?\s*[[{]/.test(text.toString('utf8', 0, 1_000));

async function read(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (!request.readable) throw new AppError('bad_request', 'The request body is incomplete');
  try {
    return await getRawBody(request, { limit, length: request.headers['content-length'] });
  } catch (error) {
    if ((error as { type?: string }).type !== 'entity.too.large')
      throw new AppError('bad_request', 'The request body is incomplete');
    throw new AppError('too_large', `The request body must not exceed ${limit / 1024} kB`, {
      payload: { max: limit },
    });
  }
}

function parseJson(bytes: Buffer, maxFields: number, read: (text: string) => unknown): object {
  checkShape(bytes, maxFields);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = read(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    throw new AppError('malformed_json', 'The request body is not valid JSON');
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new AppError('malformed_json', 'The request body is not a JSON object');
}

/** A mail is in any encoding, and tells which inside: one character for each byte. */
const parseMail = (bytes: Buffer): object => ({
  message: bytes.toString('latin1').replaceAll('\0', ' '),
});

function parseForm(bytes: Buffer, charset: string): object {
  return qs.parse(bytes.toString('utf8'), {
    depth: 10,
    arrayLimit: 20,
    parameterLimit: 500,
    decoder: charset === UTF_8 ? decodeFormText : escapesIn(new TextDecoder(charset)),
  });
}

/** As the decoder of qs, which leaves an escaped text of another encoding as it is: `%CF%F0`. */
function decodeFormText(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A percent sign that was not escaped is one.
    if (/%[\da-f]{2}/i.test(spaced))
      throw new AppError('malformed_json', 'The request body is not valid UTF-8');
    return spaced;
  }
}

/** Decodes escaped texts of a charset: `%CF%F0+1` of windows-1251 is `Пр 1`. */
function escapesIn(decoder: TextDecoder): (text: string) => string {
  const decoded = (escapes: string) =>
    decoder.decode(Buffer.from(escapes.replaceAll('%', ''), 'hex'));
  return (text) => text.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, decoded);
}

const [QUOTE, COLON, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('":,[\\]{}');

/** Checks depth and the numbers of values and fields in one pass over the bytes, before JSON.parse allocates objects. */
function checkShape(bytes: Buffer, maxFields: number): void {
  let depth = 0;
  let values = 0;
  let fields = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i + 1);
        break;
      case COMMA:
        values++;
        break;
      case COLON:
        fields++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH)
          throw new AppError(
            'malformed_json',
            `The request body is nested deeper than ${MAX_DEPTH} levels`,
          );
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
  }
  if (values <= MAX_VALUES && fields <= maxFields) return;
  throw new AppError('too_large', 'The request body has too many values', {
    payload: { maxValues: MAX_VALUES, maxFields },
  });
}

/** The index of the closing quote of a string whose content begins at `from`. */
function endOfString(bytes: Buffer, from: number): number {
  let i = from;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
