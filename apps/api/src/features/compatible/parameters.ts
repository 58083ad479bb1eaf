import { AppError } from '../../core/errors.ts';
import { readBody } from '../../core/http/body.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';

const FORM = /^application\/x-www-form-urlencoded *(;|$)/i;
const MAX_PARAMETERS = 1000;
const ANY_BYTES = 'latin1';
/** Names of encodings that the decoder does not know. */
const ENCODINGS: Record<string, string> = {
  ucs2: 'utf-16be',
  'ucs-2': 'utf-16be',
  'ucs-2be': 'utf-16be',
  'utf-16': 'utf-16be',
};

/** The parameters of a call as bytes, because another parameter may tell their encoding. */
export class Parameters {
  private readonly values = new Map<string, Buffer>();

  /** `text` is a query or a form: `to=%2B7916&text=%CF%F0`. Of several values of a name the first one counts. */
  add(text: string): void {
    const pairs = text.split('&', MAX_PARAMETERS + 1);
    if (this.values.size + pairs.length > MAX_PARAMETERS)
      throw new AppError('bad_request', 'The request has too many parameters');
    for (const pair of pairs) {
      const at = pair.indexOf('=');
      const name = decoded(unescaped(at < 0 ? pair : pair.slice(0, at)), 'utf-8');
      if (name && !this.values.has(name))
        this.values.set(name, at < 0 ? Buffer.alloc(0) : unescaped(pair.slice(at + 1)));
    }
  }

  names(): string[] {
    return [...this.values.keys()];
  }

  /** Undefined without the parameter. Throws `bad_request` for bytes that are no text in this encoding; any are one in `latin1`. */
  text(name: string, encoding = 'utf-8'): string | undefined {
    const bytes = this.values.get(name);
    return bytes && decoded(bytes, encoding);
  }

  /** The first of the names that is given. */
  first(...names: string[]): string | undefined {
    const given = names.find((name) => this.values.has(name));
    return given === undefined ? undefined : this.text(given);
  }
}

/** The parameters of the query and of the form, which may be in UTF-8 or escaped. */
export async function readParameters(request: AppRequest): Promise<Parameters> {
  const parameters = new Parameters();
  const at = request.originalUrl.indexOf('?');
  if (at >= 0) parameters.add(request.originalUrl.slice(at + 1));
  if (request.method !== 'POST') {
    request.resume();
    return parameters;
  }
  const isForm = FORM.test(request.headers['content-type'] ?? '');
  const isEmpty = request.headers['content-length'] === '0';
  if (!isForm && !isEmpty)
    throw new AppError('unsupported_media', 'The request body must be a form in UTF-8');
  const body = await readBody(request, { form: true });
  if (body) parameters.add(body.bytes.toString('latin1'));
  return parameters;
}

/** The bytes of an escaped text; a percent sign that escapes nothing is one. */
function unescaped(text: string): Buffer {
  const bytes = Buffer.alloc(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const hex = text[i] === '%' ? text.slice(i + 1, i + 3) : '';
    if (/^[\da-f]{2}$/i.test(hex)) {
      bytes[length++] = parseInt(hex, 16);
      i += 2;
    } else bytes[length++] = text[i] === '+' ? 0x20 : text.charCodeAt(i);
  }
  return bytes.subarray(0, length);
}

function decoded(bytes: Buffer, encoding: string): string {
  const name = encoding.trim().toLowerCase();
  try {
    const text = new TextDecoder(ENCODINGS[name] ?? name, { fatal: true }).decode(bytes);
    // No text of a person has it, and none that is stored may.
    if (name === ANY_BYTES || !text.includes('\0')) return text;
  } catch {
    // As below.
  }
  throw new AppError('bad_request', 'A text is not valid in its encoding');
}
