import { composeText } from './compose-text.ts';
import { isBlank } from './invisible.ts';

/** Variables allowed in texts. Source: the specification, section 3 (personal variables). */
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

/** Maximum length of the name of a variable. */
export const MAX_VARIABLE_LENGTH = 40;
const NAME = /^\p{L}[\p{L}\p{N}_]*$/u;

/** Whether a value can have this name: `isVariableName('orderNumber')`. Names that every object has, such as `constructor`, are none. */
export const isVariableName = (name: string): boolean =>
  name.length <= MAX_VARIABLE_LENGTH && NAME.test(name) && !(name in {});

/** The link by which a recipient unsubscribes, separate for each message. */
export const UNSUBSCRIBE_VARIABLE = 'unsubscribe';

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

/** A text parsed once and rendered for many recipients. */
export interface CompiledText {
  /** The distinct variables of the text, in order of first use. */
  names: string[];
  /** Those that stand somewhere without a default. */
  required: string[];
  /** True if the text has no variables: all renderings are the same. */
  isStatic: boolean;
  /**
   * The text for one recipient. A null, absent or blank value is replaced with the default of the variable; null when a variable
   * has no default either, as such a text is not sent. In NFC, as it is counted: a value may be stored decomposed, and may begin with
   * a mark of the letter before it.
   */
  render(values: VariableValues): string | null;
  /** The same for previews: a variable without value and default is left out. */
  preview(values: VariableValues): string;
  /** The same for texts that are edited further: a variable without value and default stays, as `{name}`. */
  draft(values: VariableValues): string;
}

export class VariableError extends Error {
  override name = 'VariableError';
  reason: 'unknown' | 'character_class' | 'too_many';
  /** Name of the variable, or the whole character class. */
  variable: string;
  /** Position in the text, in UTF-16 units from 0. */
  position: number;

  constructor(reason: VariableError['reason'], variable: string, position: number) {
    super(MESSAGES[reason](variable.slice(0, MAX_QUOTED_LENGTH), position));
    this.reason = reason;
    this.variable = variable;
    this.position = position;
  }
}

const MESSAGES: Record<VariableError['reason'], (variable: string, position: number) => string> = {
  unknown: (variable, position) => `Unknown variable {${variable}} at position ${position}`,
  character_class: (variable, position) =>
    `${variable} at position ${position} is a character class of an operator template. ` +
    'Messages cannot contain character classes',
  too_many: (_, position) =>
    `More than ${MAX_VARIABLES} variables in the text, at position ${position}`,
};

/**
 * Character classes of operator templates with their macros: `%d{1,10}` matches one to ten digits. `+` includes spaces, `%r` is
 * Russian letters only. Source: the specification, section 3, and the macros of operators of the region.
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

/** Maximum variables in a text, which limits the length of the rendered text. */
export const MAX_VARIABLES = 100;
/** Maximum length of input quoted in an error message. */
const MAX_QUOTED_LENGTH = 60;

const KNOWN: ReadonlySet<string> = new Set([...CONTACT_VARIABLES, UNSUBSCRIBE_VARIABLE]);
// Macros of operator templates: %d{1,5}, %w{4}, %w+{1,3}. Recognized to refuse them with a specific error.
const CHARACTER_CLASS = /%[\p{L}+*_]{1,4}\{\d*(?:,\d*)?\}/gu;

// A name in braces, with an optional default, which can be empty. No part matches another brace, so matching takes linear time.
// Messengers and pages leave invisible characters around a name that is copied.
const OPENED = String.raw`\{[\s\p{Cf}]*(\p{L}[\p{L}\p{N}_]{0,39})[\s\p{Cf}]*`;
const VARIABLE = new RegExp(String.raw`${OPENED}(?:\|([^{}]*))?\}`, 'uy');
/** A variable within the default of another: neither is what was meant. */
const NESTED = new RegExp(String.raw`${OPENED}\|[^{}]{0,200}\{`, 'uy');

/** A variable; `fallback` is its default, null without one. */
interface Variable {
  name: string;
  fallback: string | null;
}
/** Literal text, or a variable. */
type TextElement = string | (Variable & { position: number });

/** Splits a text into literals and variables, in order. The only parser of braces. */
function* elementsOf(text: string): Generator<TextElement> {
  let literal = '';
  let at = 0;
  while (at < text.length) {
    const brace = nextBrace(text, at);
    literal += text.slice(at, brace);
    if (brace === text.length) break;
    VARIABLE.lastIndex = brace;
    const isDoubled = text[brace + 1] === text[brace];
    const found = isDoubled ? null : VARIABLE.exec(text);
    NESTED.lastIndex = brace;
    const [, outer] = (!isDoubled && !found && NESTED.exec(text)) || [];
    if (outer) {
      yield literal;
      yield { name: `${outer}|`, fallback: null, position: brace };
      literal = '';
      at = brace + 1 + outer.length;
      continue;
    }
    if (!found) {
      literal += text[brace];
      at = brace + (isDoubled ? 2 : 1);
      continue;
    }
    const [whole, name = '', fallback = null] = found;
    yield literal;
    yield { name, fallback, position: brace };
    literal = '';
    at = brace + whole.length;
  }
  yield literal;
}

/** How the values of a variable are written; `before` is the text up to it, with nothing in place of other variables. */
export type WriteValue = (name: string, before: string) => (value: string) => string;
const plainly: WriteValue = () => (value) => value;

/** Which variables a text can have: those of contacts, or of any name, as the values come with the call. */
export type AllowedVariables = 'contact' | 'any';

/**
 * Compiles a text with variables: `{firstName}`, `{firstName|friend}` with a default, `{{` and `}}` for literal braces. White space
 * around a name is ignored; the default can be empty. Unpaired braces, and braces around other text than a name, are literal.
 * Throws VariableError for an unknown name, a character class or too many variables.
 * `compileText('Hi {firstName|friend}!').render({})` is 'Hi friend!', and null without the default.
 */
export function compileText(
  text: string,
  allowed: AllowedVariables = 'contact',
  write: WriteValue = plainly,
): CompiledText {
  refuseCharacterClass(text);
  const literals: string[] = [];
  const variables: Variable[] = [];
  for (const element of elementsOf(text)) {
    if (typeof element === 'string') {
      literals.push(element);
      continue;
    }
    const { name, position } = element;
    if (variables.length === MAX_VARIABLES) throw new VariableError('too_many', name, position);
    if (allowed === 'any' ? !isVariableName(name) : !KNOWN.has(name))
      throw new VariableError('unknown', name, position);
    variables.push(element);
  }
  return compiled(literals, literals.pop()!, variables, write);
}

/** Literal text, or a placeholder for `min` to `max` characters of a class (`d` for `%d{1,4}`), or of any for a variable (`kind` null). */
export type TemplatePart = string | { kind: string | null; min: number; max: number };

/** Parses an operator template with variables and character classes. `%d{4}` is exactly four digits, `%d{,4}` up to four. */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const add = (text: string) => {
    if (text) parts.push(text);
  };
  let at = 0;
  const addText = (text: string) => {
    for (const element of elementsOf(text)) {
      if (typeof element === 'string') add(element);
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
 * Replaces each character class of a text. `by` receives the class as written.
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
  variables: Variable[],
  write: WriteValue,
): CompiledText {
  const names = [...new Set(variables.map(({ name }) => name))];
  if (!variables.length) {
    const text = composeText(tail);
    const same = () => text;
    return { names, required: [], isStatic: true, render: same, preview: same, draft: same };
  }
  const writers = variables.map(({ name }, i) => write(name, literals.slice(0, i + 1).join('')));
  const rendered = (
    values: VariableValues,
    missing: (name: string) => string | null,
  ): string | null => {
    let out = '';
    for (let i = 0; i < variables.length; i++) {
      const { name, fallback } = variables[i]!;
      const value = values[name];
      // A blank cell of an import counts as absent.
      const filled = value && !isBlank(value) ? writers[i]!(value) : (fallback ?? missing(name));
      if (filled === null) return null;
      out += literals[i]! + filled;
    }
    return composeText(out + tail);
  };
  const required = variables.filter(({ fallback }) => fallback === null);
  return {
    names,
    required: [...new Set(required.map(({ name }) => name))],
    isStatic: false,
    render: (values) => rendered(values, () => null),
    preview: (values) => rendered(values, () => '')!,
    draft: (values) => rendered(values, (name) => `{${name}}`)!,
  };
}
