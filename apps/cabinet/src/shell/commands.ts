import { foldText, hasWords, isUuid } from '@heliograph/domain';

export interface Command {
  id: string;
  label: string;
  /** The keys that do the same. */
  keys?: string;
  run: () => void;
}

const PHONE = /^\+?[\d\s().-]{7,24}$/;

/** The kind of object that the text may name: an id, possibly a phone, else words of a title or a name. */
export function objectIn(text: string): { kind: 'id' | 'phone' | 'words'; value: string } | null {
  const value = text.trim();
  if (isUuid(value)) return { kind: 'id', value: value.toLowerCase() };
  const digits = value.replace(/\D/g, '').length;
  if (PHONE.test(value) && digits >= 7 && digits <= 15) return { kind: 'phone', value };
  return value.length >= 2 && value.length <= 100 ? { kind: 'words', value } : null;
}

/** Commands that have every word, those that begin with the text first; the order is kept otherwise. */
export function matching<C extends { label: string }>(commands: C[], text: string): C[] {
  const wanted = foldText(text.trim());
  const found = commands.filter(({ label }) => hasWords(label, text));
  const begins = (c: C) => Number(foldText(c.label).startsWith(wanted));
  return found.toSorted((a, b) => begins(b) - begins(a));
}
