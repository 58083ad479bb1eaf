import { expect, it } from 'vitest';
import {
  bitrixStatusOf,
  inboundFields,
  INTEGRATION_CATALOGUE,
  isInboundField,
  literalText,
  MAX_INBOUND_FIELDS,
  renderInbound,
} from './integrations.ts';

it('has titles for languages with the Latin alphabet', () => {
  const cyrillic = INTEGRATION_CATALOGUE.filter(({ latin }) => /[а-яё]/i.test(latin));
  expect(cyrillic).toEqual([]);
});

it('has 23 programs with different keys, some of them in one brand only', () => {
  expect(INTEGRATION_CATALOGUE).toHaveLength(23);
  expect(new Set(INTEGRATION_CATALOGUE.map(({ key }) => key)).size).toBe(23);
  const keysOf = (brand: 'main' | 'alternate') =>
    INTEGRATION_CATALOGUE.filter(({ brands }) => brands.includes(brand)).map(({ key }) => key);
  expect(keysOf('main')).toHaveLength(23);
  expect(keysOf('alternate')).toEqual([
    'retailcrm',
    'tilda',
    'opencart',
    'woocommerce',
    'albato',
    'apix-drive',
    'zapier',
    'make',
    'vtiger',
  ]);
});

it('reads nested fields and lists', () => {
  const body = { id: 7, leads: { add: [{ id: '1', tags: [true, null] }] }, none: undefined };
  expect([...inboundFields(body)]).toEqual([
    ['id', '7'],
    ['leads.add.0.id', '1'],
    ['leads.add.0.tags.0', 'true'],
  ]);
});

it('reads a limited number of fields, of limited length', () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`f${i}`, 'x']));
  expect(inboundFields(many).size).toBe(MAX_INBOUND_FIELDS);
  expect(inboundFields({ a: 'x'.repeat(9000) }).get('a')).toHaveLength(2000);
  // An emoji is two units: no half of one stays.
  const fields = inboundFields({ a: `x${'😀'.repeat(2000)}` });
  expect(fields.get('a')).toBe(`x${'😀'.repeat(999)}`);
  expect(renderInbound('{{ a }}!', fields, 100).text).toBe(`x${'😀'.repeat(49)}!`);
  expect(renderInbound(`😀${'x'.repeat(10)}`, fields, 1).text).toBe('');
});

it.each([
  ['Order {{order.id}} is ready, {{ name }}!', 'Order 42 is ready, Анна!'],
  ['{{missing|}}Tea', 'Tea'],
  ['{{ missing|your}} Tea {{blank|x}} {{name|y}}', 'your Tea x Анна'],
  ['{{Имя}} {name} {{', 'Анна {name} {{'],
])('%s', (template, text) => {
  const fields = inboundFields({ order: { id: 42 }, name: 'Анна', Имя: 'Анна', blank: ' ' });
  expect(renderInbound(template, fields, 100)).toEqual({ text, missing: null });
});

it('names the first field without a value and a default', () => {
  const fields = inboundFields({ name: 'Анна', blank: '\u200b ' });
  expect(renderInbound('{{name}} {{blank}} {{other}}', fields, 100).missing).toBe('blank');
});

it('limits the text, however often a variable is repeated', () => {
  const fields = new Map([['a', 'x'.repeat(2000)]]);
  expect(renderInbound('{{a}}'.repeat(200), fields, 500).text).toHaveLength(500);
});

it.each([
  ['phone', true],
  ['leads.add.0.id', true],
  ['Телефон', true],
  ['', false],
  ['a b', false],
  ['.a', false],
])('%j as the name of a field: %s', (name, isOne) => {
  expect(isInboundField(name)).toBe(isOne);
});

it('doubles braces, which would be variables', () => {
  expect(literalText('Code {x}')).toBe('Code {{x}}');
});

it.each([
  ['delivered', 'delivered'],
  ['seen', 'delivered'],
  ['failed', 'undelivered'],
  ['pending', null],
])('%s is %s at Bitrix24', (status, theirs) => {
  expect(bitrixStatusOf(status)).toBe(theirs);
});
