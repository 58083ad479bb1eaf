import { parseMoney } from './money.ts';
import type { Money } from './money.ts';
import type { PriceQuery, Tariff, TariffCondition, TariffRule } from './tariff.ts';

/** A rule made ready to be asked many times. */
export interface CompiledRule {
  id: string;
  tariffId: string;
  tariffPriority: number;
  priority: number;
  action: TariffRule['action'];
  price: readonly Money[];
  /** Whether the conditions on type and sender hold; they are asked once for a whole bulk. */
  standsFor(type: string, sender: string): boolean;
  /** Whether the other conditions hold. */
  matches(query: PriceQuery): boolean;
  /** It looks at the text or the phone, which differ from message to message. */
  perMessage: boolean;
  /** It looks at the contact list or the group. */
  perAudience: boolean;
}

type Test = (query: PriceQuery) => boolean;

export function compileRule(tariff: Tariff, rule: TariffRule): CompiledRule {
  const byTag = (...tags: string[]) => rule.conditions.filter(({ tag }) => tags.includes(tag));
  const fixed = byTag('type', 'sender');
  const senders = byTag('sender');
  const tests = rule.conditions.filter((condition) => !fixed.includes(condition)).map(compileTest);
  return {
    id: rule.id,
    tariffId: tariff.id,
    tariffPriority: tariff.priority,
    priority: rule.priority,
    action: rule.action,
    price: (typeof rule.price === 'number' ? [rule.price] : rule.price).map(parseMoney),
    standsFor: (type, sender) =>
      isForType(tariff, rule, type) && senders.every(({ value }) => listOf(value).includes(sender)),
    matches: (query) => tests.every((test) => test(query)),
    perMessage: byTag('text', 'keywords', 'recipient').length > 0,
    perAudience: byTag('contactList', 'group').length > 0,
  };
}

/** Whether a rule can have to do with messages of a type at all. */
export function isForType(
  { source }: Pick<Tariff, 'source'>,
  { conditions }: Pick<TariffRule, 'conditions'>,
  type: string,
): boolean {
  const types = conditions.filter(({ tag }) => tag === 'type');
  return (
    (source == null || source === type) && types.every(({ value }) => listOf(value).includes(type))
  );
}

function listOf(value: TariffCondition['value']): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

function compileTest(condition: TariffCondition): Test {
  const values = listOf(condition.value);
  switch (condition.tag) {
    case 'mccmnc':
      return mccmncTest(values);
    case 'text':
      return fragmentTest(values);
    case 'keywords':
      return keywordTest(values);
    case 'recipient':
      return prefixTest(values);
    case 'contactList':
      return ({ contactLists }) => contactLists.some((id) => values.includes(id));
    case 'group':
      return ({ group }) => group !== null && values.includes(group);
    default:
      // A rule of which a part is not understood must not set a price.
      throw new RangeError(`Unknown tariff condition ${condition.tag}`);
  }
}

/** A message and its fallbacks. */
const REMEMBERED_TEXTS = 4;

/** Texts without variables are asked about again and again: each is read once. */
function ofText(test: (text: string) => boolean): Test {
  const answers = new Map<string, boolean>();
  return ({ text }) => {
    let answer = answers.get(text);
    if (answer !== undefined) return answer;
    answer = test(text);
    if (answers.size >= REMEMBERED_TEXTS) answers.delete(answers.keys().next().value!);
    answers.set(text, answer);
    return answer;
  };
}

/** `25001` is one network, `401*` all of a country. */
export function mccmncTest(
  values: readonly string[],
): (message: Pick<PriceQuery, 'mccmnc'>) => boolean {
  const exact = new Set(values.filter((value) => !value.endsWith('*')));
  const prefixes = values.filter((value) => value.endsWith('*')).map((value) => value.slice(0, -1));
  return ({ mccmnc }) =>
    mccmnc !== null &&
    mccmnc !== '' &&
    (exact.has(mccmnc) || prefixes.some((prefix) => mccmnc.startsWith(prefix)));
}

function fragmentTest(values: readonly string[]): Test {
  const fragments = values.filter((value) => value !== '').map((value) => value.toLowerCase());
  return ofText((text) => {
    const lower = text.toLowerCase();
    return fragments.some((fragment) => lower.includes(fragment));
  });
}

/** A whole word has neither a letter nor a digit beside it: `код` is not in `кодекс`. */
function keywordTest(values: readonly string[]): Test {
  const words = values.map((value) => value.trim()).filter((value) => value !== '');
  if (words.length === 0) return () => false;
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])`,
    'iu',
  );
  return ofText((text) => pattern.test(text));
}

/** Prefixes are compared by their digits: `+7916` and `7916` are one. */
function prefixTest(values: readonly string[]): Test {
  const prefixes = values.map((value) => value.replace(/\D/g, '')).filter((value) => value !== '');
  return ({ phone }) => {
    const digits = phone.startsWith('+') ? phone.slice(1) : phone;
    return prefixes.some((prefix) => digits.startsWith(prefix));
  };
}
