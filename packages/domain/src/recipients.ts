import { normalizePhone } from './phones.ts';

/** One entry of a pasted list; `line` counts from 1, `raw` is the entry as typed, trimmed. */
export type ParsedRecipient =
  | { line: number; raw: string; phone: string }
  | { line: number; raw: string; error: 'invalid' | 'duplicate' };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a recipient is the id of a contact list rather than a phone. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Cuts text that arrives in arbitrary chunks (an upload, a stream) into lines. A number split over
 * two chunks comes out whole; only the unfinished line is held in memory.
 */
export async function* linesOf(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * Reads pasted recipients as they come: entries are separated by line ends, tabs, commas and
 * semicolons; spaces belong to a number (`8 916 123 45 67`). Blank entries are passed over. Of equal
 * phones the first is good, every later one is a `duplicate`.
 * Each string given ends an entry; pass chunks that do not end at a line through `linesOf` first.
 */
export async function* parseRecipients(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<ParsedRecipient, void, void> {
  // Digits of E.164 are a safe integer: a set of numbers takes a third of a set of strings.
  const seen = new Set<number>();
  let line = 0;
  for await (const text of lines) {
    for (const one of text.split(/\r\n|\n|\r/)) {
      line++;
      for (const entry of one.split(/[,;\t]/)) {
        const raw = entry.trim();
        if (raw !== '') yield parseEntry(line, raw, seen);
      }
    }
  }
}

function parseEntry(line: number, raw: string, seen: Set<number>): ParsedRecipient {
  const phone = normalizePhone(raw);
  if (phone === null) return { line, raw, error: 'invalid' };
  const key = Number(phone);
  if (seen.has(key)) return { line, raw, error: 'duplicate' };
  seen.add(key);
  return { line, raw, phone };
}
