import { parseMoney } from './money.ts';
import type { Money } from './money.ts';
import type { PriceQuery, Tariff, TariffCondition, TariffRule, TariffTag } from './tariff.ts';

/** A tariff rule with its conditions compiled to functions. */
export interface CompiledRule {
  id: string;
  tariffId: string;
  tariffPriority: number;
  version?: number;
  steps?: Tariff['steps'];
  priority: number;
  action: TariffRule['action'];
  price: readonly Money[];
  byLength?: TariffRule['byLength'];
  /** Whether the conditions on type and sender are met. Evaluated once per type and sender. */
  appliesTo(type: string, sender: string): boolean;
  /** Whether the other conditions are met. */
  matches(query: PriceQuery): boolean;
  /** Whether a condition uses the text or the phone, which differ between messages. */
  usesMessage: boolean;
  /** Whether a condition uses the contact list or the traffic group. */
  usesAudience: boolean;
  /** Of its conditions. */
  tags: ReadonlySet<TariffTag>;
  /** Whether the conditions on the network are met. */
  isForNetwork(mccmnc: string | null): boolean;
}

type Test = (query: PriceQuery) => boolean;

export function compileRule(tariff: Tariff, rule: TariffRule): CompiledRule {
  const byTag = (...tags: string[]) => rule.conditions.filter(({ tag }) => tags.includes(tag));
  const fixed = byTag('type', 'sender');
  const senders = byTag('sender');
  const tests = rule.conditions.filter((condition) => !fixed.includes(condition)).map(compileTest);
  const networks = byTag('mccmnc').map(({ value }) => mccmncTest(toList(value)));
  return {
    id: rule.id,
    tariffId: tariff.id,
    tariffPriority: tariff.priority,
    version: tariff.version,
    steps: tariff.steps,
    priority: rule.priority,
    action: rule.action,
    byLength: rule.byLength,
    price: (typeof rule.price === 'number' ? [rule.price] : rule.price).map(parseMoney),
    appliesTo: (type, sender) =>
      isForType(tariff, rule, type) && senders.every(({ value }) => toList(value).includes(sender)),
    matches: (query) => tests.every((test) => test(query)),
    usesMessage: byTag('text', 'keywords', 'recipient').length > 0,
    usesAudience: byTag('contactList', 'group').length > 0,
    tags: new Set(rule.conditions.map(({ tag }) => tag)),
    isForNetwork: (mccmnc) => networks.every((test) => test({ mccmnc })),
  };
}

/** Whether a rule can apply to messages of a type. */
export function isForType(
  { source }: Pick<Tariff, 'source'>,
  { conditions }: Pick<TariffRule, 'conditions'>,
  type: string,
): boolean {
  const types = conditions.filter(({ tag }) => tag === 'type');
  return (
    (source == null || source === type) && types.every(({ value }) => toList(value).includes(type))
  );
}

function toList(value: TariffCondition['value']): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

function compileTest(condition: TariffCondition): Test {
  const values = toList(condition.value);
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
      // A rule with an unknown condition must not set a price.
      throw new RangeError(`Unknown tariff condition ${condition.tag}`);
  }
}

/** Number of texts in the cache: a message and its fallbacks. */
const CACHED_TEXTS = 4;

/** Caches the result by text: messages of a bulk without variables have the same text. */
function cachedByText(test: (text: string) => boolean): Test {
  const answers = new Map<string, boolean>();
  return ({ text }) => {
    let answer = answers.get(text);
    if (answer !== undefined) return answer;
    answer = test(text);
    if (answers.size >= CACHED_TEXTS) answers.delete(answers.keys().next().value!);
    answers.set(text, answer);
    return answer;
  };
}

/** `25001` matches one network, `401*` all networks of a country. */
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
  return cachedByText((text) => {
    const lower = text.toLowerCase();
    return fragments.some((fragment) => lower.includes(fragment));
  });
}

/** Matches whole words, without adjacent letters or digits: `код` does not match `кодекс`. */
function keywordTest(values: readonly string[]): Test {
  const words = values.map((value) => value.trim()).filter((value) => value !== '');
  if (words.length === 0) return () => false;
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])`,
    'iu',
  );
  return cachedByText((text) => pattern.test(text));
}

const prefixesOf = (values: readonly string[]): string[] =>
  values.map((value) => value.replace(/\D/g, '')).filter((value) => value !== '');

/** The number of digits at the beginning of a phone by which rules tell recipients apart: 4 for `+7916`. */
export const digitsUsed = (rules: readonly Pick<TariffRule, 'conditions'>[]): number =>
  rules
    .flatMap(({ conditions }) => conditions.filter(({ tag }) => tag === 'recipient'))
    .flatMap(({ value }) => prefixesOf(toList(value)))
    .reduce((most, { length }) => Math.max(most, length), 0);

/** Compares prefixes by their digits: `+7916` equals `7916`. */
function prefixTest(values: readonly string[]): Test {
  const prefixes = prefixesOf(values);
  return ({ phone }) => {
    const digits = phone.startsWith('+') ? phone.slice(1) : phone;
    return prefixes.some((prefix) => digits.startsWith(prefix));
  };
}
