import type {
  CompiledContent,
  MessageParts,
  MessageTexts,
  RenderedContent,
} from './message-content.ts';

export const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const TASK_BITS = 27n;
const NUMBER_BITS = 26n;
const MAC_BITS = 48n;
/** 101 bits in base62. */
const CODE_LENGTH = 17;
/** Between a short link and the code of its recipient: in GSM-7, where a tilde costs two characters, and part of a link everywhere. */
const SEPARATOR = '-';

/** Recipients of a bulk beyond this number have no code of their own. */
export const MAX_CLICK_NUMBER = 2 ** Number(NUMBER_BITS) - 1;

/** What a link says of its recipient. */
export interface ClickCode {
  /** The number of the bulk among those that tell who clicked. */
  task: number;
  /** The position of the recipient in the bulk, from 0. */
  number: number;
  /** 48 bits, by which nobody makes the code of another recipient. */
  mac: bigint;
}

/** All codes have the same length, so that a text has as many segments for each recipient. */
export function writeClickCode({ task, number, mac }: ClickCode): string {
  let rest = (((BigInt(task) << NUMBER_BITS) | BigInt(number)) << MAC_BITS) | mac;
  let code = '';
  for (let i = 0; i < CODE_LENGTH; i++) {
    code = BASE62[Number(rest % 62n)] + code;
    rest /= 62n;
  }
  return code;
}

/** Null for a text that is no code. Whether it is genuine, its `mac` tells. */
export function readClickCode(code: string): ClickCode | null {
  if (code.length !== CODE_LENGTH) return null;
  let value = 0n;
  for (const char of code) {
    const digit = BASE62.indexOf(char);
    if (digit < 0) return null;
    value = value * 62n + BigInt(digit);
  }
  const task = value >> (NUMBER_BITS + MAC_BITS);
  if (task >> TASK_BITS) return null;
  return {
    task: Number(task),
    number: Number(BigInt.asUintN(Number(NUMBER_BITS), value >> MAC_BITS)),
    mac: BigInt.asUintN(Number(MAC_BITS), value),
  };
}

/** The code of nobody, as long as all others are. */
export const EXAMPLE_CLICK_CODE = 'x'.repeat(CODE_LENGTH);
/** By how much the code makes each short link of a text longer, in characters. */
export const CLICK_CODE_COST = SEPARATOR.length + CODE_LENGTH;

/** Puts the code after each of the links in a text. A link that goes on is another one. */
export function putClickCodes(links: readonly string[]): (text: string, code: string) => string {
  if (!links.length) return (text) => text;
  const any = links.map((link) => link.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(?:${any})(?![A-Za-z0-9_-])`, 'g');
  return (text, code) => text.replace(pattern, `$&${SEPARATOR}${code}`);
}

/** Short links of an installation in a text: `shortLinksIn('https://go.example/s', 'See https://go.example/s/aB3!')`. */
export const shortLinksIn = (base: string, text: string): string[] =>
  text
    .split(`${base}/`)
    .slice(1)
    .flatMap((rest) => /^[A-Za-z0-9]{1,32}(?![\w-])/.exec(rest)?.[0] ?? [])
    .map((code) => `${base}/${code}`);

/** The text as it was written, without the code. */
export const withoutClickCode = (text: string, code: string): string =>
  text.replaceAll(SEPARATOR + code, '');

/** Where the code of the recipient stands among the values of a message. No variable has this name. */
export const CLICK_CODE = '$click';

/** Whether one of the links is in the message. */
const hasLink = (texts: MessageTexts, links: readonly string[]): boolean =>
  links.some((link) => fieldsOf(texts).some((field) => field?.includes(link)));

const fieldsOf = ({ text, subject, button, buttons }: MessageTexts) => [
  text,
  subject,
  button?.url,
  ...(buttons ?? []).map(({ action }) => action),
];

/** A compiled message in which the links have the code of the recipient, `values[CLICK_CODE]`; null if none of the links is in it. */
export function compileClickCodes(
  content: CompiledContent,
  texts: MessageTexts,
  links: readonly string[],
): CompiledContent | null {
  if (!hasLink(texts, links)) return null;
  const { subject, button, buttons } = texts;
  const written: MessageParts | null = hasLink({ subject, button, buttons }, links)
    ? { ...(subject && { subject }), ...(button && { button }), ...(buttons && { buttons }) }
    : null;
  const put = putClickCodes(links);
  const coded = ({ text, parts }: RenderedContent, code: string): RenderedContent => {
    const own = parts ?? written;
    return {
      text: put(text, code),
      parts: own && {
        ...(own.subject && { subject: put(own.subject, code) }),
        ...(own.button && { button: { ...own.button, url: put(own.button.url, code) } }),
        ...(own.buttons && {
          buttons: own.buttons.map((one) => ({ ...one, action: put(one.action, code) })),
        }),
      },
    };
  };
  return {
    ...content,
    isStatic: false,
    render(values) {
      const rendered = content.render(values);
      const code = values[CLICK_CODE];
      return rendered && code ? coded(rendered, code) : rendered;
    },
  };
}
