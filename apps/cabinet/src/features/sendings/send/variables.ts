import { CONTACT_VARIABLES, compileText, type VariableValues } from '@heliograph/domain';

/** What is being written between a brace and the caret; null when no variable is being written. */
export function openVariable(text: string, caret: number): string | null {
  const brace = text.lastIndexOf('{', caret - 1);
  if (brace === -1) return null;
  let braces = 0;
  while (text[brace - braces] === '{') braces++;
  // Two of them are one that is meant.
  if (braces % 2 === 0) return null;
  const typed = text.slice(brace + 1, caret);
  return /^\w*$/.test(typed) ? typed : null;
}

/** The variables that answer what was typed after the brace. */
export function matching(typed: string): string[] {
  const wanted = typed.toLowerCase();
  return CONTACT_VARIABLES.filter((name) => name.toLowerCase().includes(wanted));
}

export interface Edit {
  text: string;
  caret: number;
}

/** Puts a piece where the selection is. */
export function insertAt(text: string, start: number, end: number, piece: string): Edit {
  return { text: text.slice(0, start) + piece + text.slice(end), caret: start + piece.length };
}

/** Finishes the variable that is being written, or puts a new one in. `fallback` stands for those who have no value. */
export function insertVariable(text: string, caret: number, name: string, fallback = ''): Edit {
  const typed = openVariable(text, caret);
  const start = typed === null ? caret : caret - typed.length - 1;
  const piece = fallback ? `{${name}|${fallback}}` : `{${name}}`;
  return insertAt(text, start, caret, piece);
}

/** The text as somebody gets it; as it is while it cannot be read. */
export function filledIn(text: string, values: VariableValues): string {
  try {
    return compileText(text).render(values);
  } catch {
    return text;
  }
}

/** The variables a text names; none while it cannot be read. */
export function namesIn(text: string): string[] {
  try {
    return compileText(text).names;
  } catch {
    return [];
  }
}
