/** The variables a text may name: the personal group of the specification, section 3. */
export const CONTACT_VARIABLES: readonly ContactVariable[] = [
  'firstName',
  'middleName',
  'lastName',
  'phone',
  'email',
  'date',
  'gender',
  ...Array.from({ length: 20 }, (_, i) => customField(i + 1)),
];

type Digit = '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
export type ContactVariable =
  | 'firstName'
  | 'middleName'
  | 'lastName'
  | 'phone'
  | 'email'
  | 'date'
  | 'gender'
  | `custom0${Digit}`
  | `custom1${'0' | Digit}`
  | 'custom20';

function customField(number: number): ContactVariable {
  return `custom${String(number).padStart(2, '0')}` as ContactVariable;
}

export type VariableValues = Partial<Record<string, string | null>>;

/** A text read once and rendered for many recipients. */
export interface CompiledText {
  /** The variables it names, each once, in order of first use. */
  names: string[];
  /** True when it names none, so that every rendering is the same. */
  isStatic: boolean;
  /** The text for one recipient. A value that is null, absent or empty gives its default. */
  render(values: VariableValues): string;
}

export class VariableError extends Error {
  override name = 'VariableError';
  reason: 'unknown' | 'character_class' | 'too_many';
  /** What stood between the braces, or the whole character class. */
  variable: string;
  /** Where it begins: an index of UTF-16 units in the text, from 0. */
  position: number;

  constructor(reason: VariableError['reason'], variable: string, position: number) {
    super(MESSAGES[reason](variable.slice(0, SHOWN_LENGTH), position));
    this.reason = reason;
    this.variable = variable;
    this.position = position;
  }
}

const MESSAGES: Record<VariableError['reason'], (variable: string, position: number) => string> = {
  unknown: (variable, position) => `Unknown variable {${variable}} at position ${position}`,
  character_class: (variable, position) =>
    `${variable} at position ${position} is a character class of an operator template, ` +
    'which a sending cannot contain',
  too_many: (_, position) =>
    `More than ${MAX_VARIABLES} variables in a text, at position ${position}`,
};

/**
 * What may stand at a place of a template that an operator registers, by the macro for it: `%d{1,10}` is one to ten
 * digits. `+` takes spaces too, `%r` Russian letters alone. Source: the specification, section 3; macros as operators
 * of the region write them.
 */
export const CHARACTER_CLASSES = {
  letters: '%l',
  lettersSpaces: '%l+',
  digits: '%d',
  digitsSpaces: '%d+',
  lettersDigits: '%w',
  lettersDigitsSpaces: '%w+',
  russianLetters: '%r',
  russianLettersSpaces: '%r+',
  russianLettersDigits: '%rd',
  russianLettersDigitsSpaces: '%rd+',
} as const;
export type CharacterClass = keyof typeof CHARACTER_CLASSES;

/** A rendered text is longer than its own by a value for each of them, and nobody writes so many by hand. */
export const MAX_VARIABLES = 100;
/** Of what was typed in an error's text. */
const SHOWN_LENGTH = 60;

const KNOWN: ReadonlySet<string> = new Set(CONTACT_VARIABLES);
// %d{1,5}, %w{4}, %w+{1,3}: the macros of operator templates, recognised to be refused by name.
const CHARACTER_CLASS = /%[\p{L}+*_]{1,4}\{\d*(?:,\d*)?\}/gu;

// A name of letters, digits and underscores in braces, with or without a default, which may be empty. No part reaches over another brace: linear.
const VARIABLE = /\{\s*(\p{L}[\p{L}\p{N}_]{0,39})\s*(?:\|([^{}]*))?\}/uy;

/** A piece of a text as it stands, or a variable. */
type Piece = string | { name: string; fallback: string; position: number };

/** What is written and what stands for something else, in order; braces are read here and nowhere else. */
function* piecesOf(text: string): Generator<Piece> {
  let literal = '';
  let at = 0;
  while (at < text.length) {
    const brace = nextBrace(text, at);
    literal += text.slice(at, brace);
    if (brace === text.length) break;
    VARIABLE.lastIndex = brace;
    const isDoubled = text[brace + 1] === text[brace];
    const found = isDoubled ? null : VARIABLE.exec(text);
    if (!found) {
      literal += text[brace];
      at = brace + (isDoubled ? 2 : 1);
      continue;
    }
    const [whole, name = '', fallback = ''] = found;
    yield literal;
    yield { name, fallback, position: brace };
    literal = '';
    at = brace + whole.length;
  }
  yield literal;
}

/**
 * Reads a text with variables: `{firstName}`, `{firstName|friend}` with a default, `{{` for a brace, `}}` for a closing one.
 * White space around a name does not count, and nothing behind the bar is an empty default.
 * Braces around anything that is no name, and those without a partner, stand for themselves.
 * Throws VariableError on an unknown name, a character class or too many variables.
 * `compileText('Hi {firstName|friend}!').render({})` is 'Hi friend!'.
 */
export function compileText(text: string): CompiledText {
  refuseCharacterClass(text);
  const literals: string[] = [];
  const variables: { name: string; fallback: string }[] = [];
  for (const piece of piecesOf(text)) {
    if (typeof piece === 'string') {
      literals.push(piece);
      continue;
    }
    const { name, position } = piece;
    if (variables.length === MAX_VARIABLES) throw new VariableError('too_many', name, position);
    if (!KNOWN.has(name)) throw new VariableError('unknown', name, position);
    variables.push(piece);
  }
  return compiled(literals, literals.pop()!, variables);
}

/** A text as it stands, or what stands for `min` to `max` characters: of a class (`d` of `%d{1,4}`), or of any (`null`) for a variable. */
export type TemplatePart = string | { kind: string | null; min: number; max: number };

/** The parts of an operator template, whose text may have variables and character classes. `%d{4}` is exactly four, `%d{,4}` up to four. */
export function readTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const add = (text: string) => {
    if (text) parts.push(text);
  };
  let at = 0;
  const addText = (text: string) => {
    for (const piece of piecesOf(text)) {
      if (typeof piece === 'string') add(piece);
      else parts.push({ kind: null, min: 0, max: Infinity });
    }
  };
  for (const found of template.matchAll(CHARACTER_CLASS)) {
    addText(template.slice(at, found.index));
    const [kind = '', bounds = ''] = found[0].slice(1, -1).split('{');
    const [min = '', max = min] = bounds.split(',');
    parts.push({ kind, min: Number(min || 0), max: max ? Number(max) : Infinity });
    at = found.index + found[0].length;
  }
  addText(template.slice(at));
  return parts;
}

function refuseCharacterClass(text: string): void {
  if (!text.includes('%')) return;
  const [found] = text.matchAll(CHARACTER_CLASS);
  if (found) throw new VariableError('character_class', found[0], found.index);
}

/**
 * The text with something else in the place of each character class, which is told as it was written.
 * `replaceCharacterClasses('Code %d{4}', () => '‹…›')` is 'Code ‹…›'.
 */
export function replaceCharacterClasses(text: string, by: (written: string) => string): string {
  return text.replace(CHARACTER_CLASS, by);
}

function nextBrace(text: string, from: number): number {
  for (let i = from; i < text.length; i++) if (text[i] === '{' || text[i] === '}') return i;
  return text.length;
}

function compiled(
  literals: string[],
  tail: string,
  variables: { name: string; fallback: string }[],
): CompiledText {
  const names = [...new Set(variables.map(({ name }) => name))];
  if (variables.length === 0) return { names, isStatic: true, render: () => tail };
  const render = (values: VariableValues): string => {
    let out = '';
    for (let i = 0; i < variables.length; i++) {
      const { name, fallback } = variables[i]!;
      // `||` and not `??`: an empty cell of an import is as good as none.
      out += literals[i]! + (values[name] || fallback);
    }
    return out + tail;
  };
  return { names, isStatic: false, render };
}
