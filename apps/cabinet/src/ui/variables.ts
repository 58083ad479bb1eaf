import {
  CHARACTER_CLASSES,
  CONTACT_VARIABLES,
  UNSUBSCRIBE_VARIABLE,
  type CharacterClass,
} from '@heliograph/domain';

/** The text between a brace and the caret; null when no variable is being typed. */
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

/** The variables that match the text after the brace. */
export function matching(typed: string): string[] {
  const wanted = typed.toLowerCase();
  return [...CONTACT_VARIABLES, UNSUBSCRIBE_VARIABLE].filter((name) =>
    name.toLowerCase().includes(wanted),
  );
}

/** The same of character classes. */
export function matchingClasses(typed: string): CharacterClass[] {
  const wanted = typed.toLowerCase();
  const names = Object.keys(CHARACTER_CLASSES) as CharacterClass[];
  return names.filter((name) => name.toLowerCase().includes(wanted));
}

/** How a class is written, with a length to begin with: `%d{1,10}`. */
export const written = (name: CharacterClass): string => `${CHARACTER_CLASSES[name]}{1,10}`;

export interface Edit {
  text: string;
  caret: number;
}

/** Puts a piece where the selection is. */
export function insertAt(text: string, start: number, end: number, piece: string): Edit {
  return { text: text.slice(0, start) + piece + text.slice(end), caret: start + piece.length };
}

/** Puts a piece in the place of the variable that is being written, or where the caret is. */
export function insertVariable(text: string, caret: number, piece: string): Edit {
  const typed = openVariable(text, caret);
  return insertAt(text, typed === null ? caret : caret - typed.length - 1, caret, piece);
}
