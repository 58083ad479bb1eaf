import { countSegments } from '@heliograph/domain';
import type { OutgoingMessage } from '../channel.ts';

/** A value of JSON in which texts hold variables (`{{recipient}}`) and a list may hold one `{ "$each": … }`. */
export type Template = string | number | boolean | null | Template[] | { [name: string]: Template };

export type Lookup = (name: string) => unknown;

/** In a list: stands for one value per message of the batch. */
const EACH = '$each';
const VARIABLE = /\{\{([^{}]{1,200})\}\}/g;
const MAX_DEPTH = 10;
/** What is known without a message. */
const ACCOUNT_VARIABLES = ['username', 'password', 'token', 'basic', 'callback'] as const;
const MESSAGE_VARIABLES = [
  'reference',
  'type',
  'sender',
  'recipient',
  'text',
  'html',
  'subject',
  'segments',
  'encoding',
  'validSeconds',
  'validUntil',
] as const;
/** Followed by a path: `payload.button.url`, `headers.List-Unsubscribe`. */
const OBJECTS = ['payload', 'headers'] as const;

/** Renders a value. Fields and elements with an unknown value are left out. */
export function render(template: Template, lookup: Lookup, messages: readonly Lookup[]): unknown {
  if (typeof template === 'string') return renderText(template, lookup);
  if (Array.isArray(template)) {
    return template
      .flatMap((one) =>
        isEach(one)
          ? messages.map((message) =>
              render(one[EACH]!, (name) => message(name) ?? lookup(name), []),
            )
          : [render(one, lookup, messages)],
      )
      .filter((value) => value !== undefined);
  }
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, value]) => [name, render(value, lookup, messages)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/**
 * A text that is one variable keeps the type of its value. Inside of a longer text, unknown ones are empty; a text with an option that is
 * not set, such as the address of callbacks, is unknown as a whole.
 */
export function renderText(template: string, lookup: Lookup): unknown {
  const [whole] = template.matchAll(VARIABLE);
  if (whole && whole[0] === template) return evaluate(whole[1]!, lookup);
  let isUnset = false;
  const text = template.replace(VARIABLE, (_, expression: string) => {
    const value = evaluate(expression, lookup);
    isUnset ||= value === undefined && isAccountVariable(nameIn(expression));
    return value === undefined || value === null ? '' : String(value as string);
  });
  return isUnset ? undefined : text;
}

const nameIn = (expression: string) => expression.split('|', 1)[0]!.trim();
const isAccountVariable = (name: string) => (ACCOUNT_VARIABLES as readonly string[]).includes(name);

/** `recipient|digits`: without the plus sign; `type|sms=1|viber=2`: by a table. */
function evaluate(expression: string, lookup: Lookup): unknown {
  const [name, ...filters] = expression.split('|').map((part) => part.trim());
  const value = lookup(name!);
  if (value === undefined || value === null || !filters.length) return value;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string);
  if (filters.length === 1 && filters[0] === 'digits') return text.replace(/\D/g, '');
  const found = filters.map((pair) => pair.split('=')).find(([from]) => from === text);
  return found?.[1];
}

/** The variables of one message. */
export function messageLookup(message: OutgoingMessage): Lookup {
  return (name) => {
    switch (name) {
      case 'text':
      case 'html':
      case 'subject':
        return message.payload[name];
      case 'encoding':
        return countSegments(message.payload.text ?? '').encoding;
      case 'validSeconds':
        return message.validity?.seconds;
      case 'validUntil':
        return message.validity?.until;
      case 'reference':
      case 'type':
      case 'sender':
      case 'recipient':
      case 'segments':
        return message[name];
    }
    const [object, ...path] = name.split('.');
    if (object === 'headers') return message.headers?.[path.join('.')];
    if (object !== 'payload') return undefined;
    return path.reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? (value as Record<string, unknown>)[step]
          : undefined,
      message.payload,
    );
  };
}

export const hasEach = (template: Template): boolean =>
  typeof template === 'object' &&
  template !== null &&
  (isEach(template) || Object.values(template).some((one) => hasEach(one as Template)));

function isEach(template: Template): template is Record<typeof EACH, Template> {
  return (
    typeof template === 'object' &&
    template !== null &&
    !Array.isArray(template) &&
    EACH in template
  );
}

/** What is wrong with a template; undefined if nothing is. */
export function faultOf(
  template: Template,
  isBatch = hasEach(template),
  depth = 0,
): string | undefined {
  if (depth > MAX_DEPTH) return `It is nested deeper than ${MAX_DEPTH} levels.`;
  if (typeof template === 'string') return textFault(template, isBatch);
  if (typeof template !== 'object' || template === null) return undefined;
  if (Array.isArray(template)) {
    return firstOf(template, (one) =>
      isEach(one)
        ? Object.keys(one).length > 1
          ? `${EACH} stands alone in its object.`
          : faultOf(one[EACH]!, false, depth + 2)
        : faultOf(one, isBatch, depth + 1),
    );
  }
  if (EACH in template) return `${EACH} stands in a list.`;
  return firstOf(Object.values(template), (one) => faultOf(one, isBatch, depth + 1));
}

const firstOf = (values: Template[], fault: (one: Template) => string | undefined) => {
  for (const value of values) {
    const found = fault(value);
    if (found) return found;
  }
  return undefined;
};

/** With `isBatch`, the text stands outside of `$each`, where there is no message. */
export function textFault(template: string, isBatch: boolean): string | undefined {
  for (const [, expression] of template.matchAll(VARIABLE)) {
    const [name = '', ...filters] = expression!.split('|').map((part) => part.trim());
    const isAccounts = isAccountVariable(name);
    const isMessages =
      (MESSAGE_VARIABLES as readonly string[]).includes(name) ||
      OBJECTS.some((object) => name.startsWith(`${object}.`));
    if (!isAccounts && !isMessages) return `There is no variable ${name}.`;
    if (isMessages && isBatch)
      return `The variable ${name} belongs to a message: it stands inside of ${EACH}.`;
    const isTable = filters.every((one) => one.includes('='));
    if (!isTable && !(filters.length === 1 && filters[0] === 'digits'))
      return `After the variable ${name} there may be |digits or pairs such as |sms=1.`;
  }
  return undefined;
}
