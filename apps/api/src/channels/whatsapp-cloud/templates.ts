import { z } from 'zod';

/** A template of the business account as Meta gives it. */
export const GivenTemplate = z.object({
  name: z.string().max(512),
  language: z.string().max(20),
  status: z.string(),
  category: z.string().optional(),
  parameter_format: z.string().optional(),
  components: z.array(z.looseObject({ type: z.string() })),
});
type GivenTemplate = z.output<typeof GivenTemplate>;

const TextComponent = z.object({ text: z.string().max(5_000) });
const GivenButton = z.object({
  type: z.string(),
  text: z.string().max(200).default(''),
  url: z.string().max(2_500).optional(),
  phone_number: z.string().max(30).optional(),
});
const ButtonsComponent = z.object({ buttons: z.array(GivenButton).max(10) });
type GivenButton = z.output<typeof GivenButton>;

/** Of the header of a message, a file that goes with it. */
export type MediaKind = 'image' | 'video' | 'document';

/** Texts between values: `Hello {{1}}!` has the literals `Hello ` and `!`, and the name `1`. */
interface Pattern {
  literals: string[];
  places: { component: 'header' | 'body'; name: string }[];
  /** Characters of the literals. */
  length: number;
}

/** An approved template as it is compared with messages. */
export interface Template {
  name: string;
  language: string;
  isNamed: boolean;
  /** Its text as people read it, with header and footer or the body alone. */
  patterns: Pattern[];
  media: MediaKind | null;
  buttons: GivenButton[];
  /** Its button copies the code of the text. */
  isOfCode: boolean;
}

/** What of a message is compared with templates. */
export interface TemplateText {
  text: string;
  media: MediaKind | null;
  buttons: { text: string; action: string }[];
}

/** A message as a template with values. */
export interface Filled {
  template: Template;
  header: Value[];
  body: Value[];
  buttons: { index: number; kind: 'url' | 'quick_reply' | 'copy_code'; value: string }[];
}
export interface Value {
  name: string;
  text: string;
}

const MEDIA: Readonly<Record<string, MediaKind>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'document',
};

/** The template as it is compared with messages; null if it is not approved or has parts that messages here do not have. */
export function templateOf(given: GivenTemplate): Template | null {
  if (given.status !== 'APPROVED') return null;
  const isOfCode = given.category === 'AUTHENTICATION';
  let [header, body, footer] = ['', '', ''];
  let media: MediaKind | null = null;
  let buttons: GivenButton[] = [];
  for (const component of given.components) {
    const text = TextComponent.safeParse(component).data?.text ?? '';
    switch (component.type) {
      case 'HEADER':
        if (component.format === 'TEXT') header = text;
        else media = MEDIA[String(component.format)] ?? null;
        if (component.format !== 'TEXT' && !media) return null;
        break;
      case 'BODY':
        body = text;
        break;
      case 'FOOTER':
        footer = text;
        break;
      case 'BUTTONS': {
        const { data } = ButtonsComponent.safeParse(component);
        if (!data?.buttons.every(({ type }) => BUTTONS.has(type))) return null;
        buttons = data.buttons;
        break;
      }
      default:
        return null;
    }
  }
  if (!body) return null;
  const ofBody = { component: 'body' as const, text: body };
  const whole = [{ component: 'header' as const, text: header }, ofBody, { text: footer }];
  // Meta shows a code in bold, which people do not write.
  const plain = { ...ofBody, text: body.replaceAll(BOLD_PLACE, '$1') };
  const texts = [
    whole,
    ...(PLACE.test(header) ? [] : [[ofBody]]),
    ...(isOfCode ? [[plain, { text: footer }], [plain]] : []),
  ];
  const patterns = texts.flatMap((parts) => patternOf(parts) ?? []);
  if (!patterns.length) return null;
  const { name, language, parameter_format } = given;
  const isNamed = parameter_format === 'NAMED';
  return { name, language, isNamed, patterns, media, buttons, isOfCode };
}

const PLACE = /\{\{\s{0,5}(\w{1,100})\s{0,5}\}\}/;
const BOLD_PLACE = /\*(\{\{\s{0,5}\w{1,100}\s{0,5}\}\})\*/g;
const BUTTONS: ReadonlySet<string> = new Set([
  'QUICK_REPLY',
  'URL',
  'PHONE_NUMBER',
  'COPY_CODE',
  'OTP',
]);

/** Undefined if two values touch each other, as nobody knows where one ends. */
function patternOf(parts: { component?: 'header' | 'body'; text: string }[]): Pattern | undefined {
  const literals = [''];
  const places: Pattern['places'] = [];
  for (const { component, text } of parts) {
    const linesOfPart = linesOf(text);
    if (!linesOfPart) continue;
    const [begin, ...rest] = linesOfPart.split(PLACE);
    const isFirst = literals.length === 1 && !literals[0];
    literals[literals.length - 1] += isFirst ? begin! : `\n${begin!}`;
    for (let i = 0; i < rest.length; i += 2) {
      // A footer has no values.
      if (!component) return undefined;
      places.push({ component, name: rest[i]! });
      literals.push(rest[i + 1]!);
    }
  }
  if (literals.slice(1, -1).some((literal) => !literal)) return undefined;
  return { literals, places, length: literals.join('').length };
}

/** Without blank lines, and without spaces at the ends of lines: those of a text and of a template differ. */
export const linesOf = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');

/** The first template of which the message has the text, the kind of file and the buttons; null if there is none. */
export function fill(templates: readonly Template[], message: TemplateText): Filled | null {
  const text = linesOf(message.text);
  if (!text) return null;
  for (const template of templates) {
    if (template.media !== message.media) continue;
    for (const pattern of template.patterns) {
      const values = valuesIn(pattern, text);
      const buttons = values && buttonsIn(template, message.buttons, values);
      if (!values || !buttons) continue;
      const of = (component: 'header' | 'body') =>
        pattern.places.flatMap((place, i) =>
          place.component === component ? [{ name: place.name, text: values[i]! }] : [],
        );
      return { template, header: of('header'), body: of('body'), buttons };
    }
  }
  return null;
}

/** The values in a text, each as short as can be: searched from left to right, in linear time. */
function valuesIn({ literals, length }: Pattern, text: string): string[] | null {
  const [begin, last] = [literals[0]!, literals.at(-1)!];
  if (length > text.length || !text.startsWith(begin)) return null;
  if (literals.length === 1) return text === begin ? [] : null;
  if (!text.endsWith(last)) return null;
  const end = text.length - last.length;
  const values: string[] = [];
  let at = begin.length;
  for (const literal of literals.slice(1)) {
    const isLast = values.length === literals.length - 2;
    // A value has one character at least.
    const next = isLast ? end : text.indexOf(literal, at + 1);
    if (next <= at) return null;
    const value = text.slice(at, next);
    if (!isValue(value)) return null;
    values.push(value);
    at = next + literal.length;
  }
  return values;
}

const MAX_VALUE = 1024;
/** Meta takes no line breaks, tabs or five spaces in a value. */
const isValue = (text: string): boolean =>
  text.length <= MAX_VALUE && !/[\n\t]| {5}/.test(text) && text.trim() !== '';

/** The values of the buttons; null if the message has other buttons, or a value is missing. */
function buttonsIn(
  { buttons, isOfCode }: Template,
  given: TemplateText['buttons'],
  values: string[],
): Filled['buttons'] | null {
  if (given.length && given.length !== buttons.length) return null;
  const filled: Filled['buttons'] = [];
  for (const [index, button] of buttons.entries()) {
    const own = given[index];
    if (own && own.text !== button.text) return null;
    if (isOfCode) {
      if (own || !values.length) return null;
      filled.push({ index, kind: 'url', value: values[0]! });
      continue;
    }
    switch (button.type) {
      case 'QUICK_REPLY':
        if (own) filled.push({ index, kind: 'quick_reply', value: own.action });
        break;
      case 'URL': {
        const [begin, , end] = (button.url ?? '').split(PLACE);
        if (end === undefined) {
          if (own && own.action !== begin) return null;
          break;
        }
        if (!own?.action.startsWith(begin!) || !own.action.endsWith(end)) return null;
        const value = own.action.slice(begin!.length, own.action.length - end.length);
        if (!value) return null;
        filled.push({ index, kind: 'url', value });
        break;
      }
      case 'PHONE_NUMBER':
        if (own && own.action.replace(/^tel:/, '') !== button.phone_number) return null;
        break;
      case 'COPY_CODE':
        if (!own) return null;
        filled.push({ index, kind: 'copy_code', value: own.action });
        break;
      default:
        return null;
    }
  }
  return filled;
}
