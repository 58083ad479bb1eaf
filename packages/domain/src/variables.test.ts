import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTACT_VARIABLES, VariableError, compileText, isVariableName } from './variables.ts';

const ivan = {
  firstName: 'Иван',
  lastName: null,
  phone: '+79161234567',
  custom01: '',
  custom03: ' \u200b',
};

describe('compileText', () => {
  it.each([
    ['Hi {firstName}!', 'Hi Иван!'],
    ['Hi {firstName|friend}!', 'Hi Иван!'],
    ['Hi {lastName|friend}!', 'Hi friend!'],
    ['Hi {lastName}!', null],
    ['Hi {custom01}', null],
    ['{firstName} {custom02|x} {custom02}', null],
    ['Hi {custom03|x}', 'Hi x'],
    ['{custom03}', null],
    ['empty is as good as none: {custom01|x}', 'empty is as good as none: x'],
    ['spaces in { firstName } do not count', 'spaces in Иван do not count'],
    ['a default keeps its own:{lastName| a | b }', 'a default keeps its own: a | b '],
    ['{lastName|}', ''],
    ['{firstName|}{ lastName |}', 'Иван'],
    ['{\u00a0firstName\n} and {' + ' '.repeat(50) + 'firstName\t}', 'Иван and Иван'],
    ['{{firstName}}', '{firstName}'],
    ['{{{firstName}}}', '{Иван}'],
    ['{firstName}}', 'Иван}'],
    [':-} and {{-:', ':-} and {-:'],
    ['a lone { brace', 'a lone { brace'],
    ['Hi {firstName', 'Hi {firstName'],
    ['Hi {', 'Hi {'],
    ['{} {1} {"sum": 5} {; {two words}', '{} {1} {"sum": 5} {; {two words}'],
    ['{firstName {firstName}', '{firstName Иван'],
    ['{firstName}{firstName}', 'ИванИван'],
    ['20%d off, 100%off{firstName}', '20%d off, 100%offИван'],
    ['', ''],
  ])('%j renders as %j', (text, expected) => {
    expect(compileText(text).render(ivan)).toBe(expected);
  });

  it.each(['{firstName\u200b}', '{\ufefffirstName}', '{ \u2060firstName\u200e|friend}'])(
    '%j is a variable, whatever stands invisibly around its name',
    (text) => {
      expect(compileText(text).render({ firstName: 'Анна' })).toBe('Анна');
    },
  );

  it.each(['{firstName|{lastName}}', 'Hi {firstName|dear {lastName|friend}}!', '{firstName|{'])(
    '%j is refused: a default has no variables',
    (text) => {
      expect(() => compileText(text)).toThrow('Unknown variable {firstName|}');
      expect(() => compileText(text, 'any')).toThrow('Unknown variable {firstName|}');
    },
  );

  it('renders in NFC, as texts are counted', () => {
    const values = { firstName: 'Андреи\u0306', custom01: '\u0301' };
    expect(compileText('{firstName}, cafe{custom01}').render(values)).toBe('Андрей, café');
    expect(compileText('{firstName|Zoe\u0308}').preview({})).toBe('Zoë');
    const fixed = compileText('cafe\u0301');
    expect([fixed.render({}), fixed.preview({})]).toEqual(['café', 'café']);
  });

  it('leaves out of a preview what has no value', () => {
    expect(compileText('Hi {lastName}{custom01|!}').preview(ivan)).toBe('Hi !');
  });

  it('keeps in a draft what has no value, so that it is seen', () => {
    const text = compileText('{firstName} { lastName }{custom01|!} {lastName|you} {{x}');
    expect(text.draft(ivan)).toBe('Иван {lastName}! you {x}');
    expect(compileText('no variables').draft(ivan)).toBe('no variables');
  });

  it('lists distinct names and detects static texts', () => {
    expect(compileText('{phone} {firstName} {phone|-}')).toMatchObject({
      names: ['phone', 'firstName'],
      required: ['phone', 'firstName'],
      isStatic: false,
    });
    expect(compileText('a {{b}}')).toMatchObject({ names: [], isStatic: true });
  });

  it.each([
    ['Hi {name}', 'unknown', 'name', 3],
    ['{firstname}', 'unknown', 'firstname', 0],
    ['{имя}', 'unknown', 'имя', 0],
    ['{имя|друг}', 'unknown', 'имя', 0],
    ['{custom21}', 'unknown', 'custom21', 0],
    ['{{ {toString}', 'unknown', 'toString', 3],
    ['code %d{1,3}', 'character_class', '%d{1,3}', 5],
    ['%w{4}', 'character_class', '%w{4}', 0],
    ['{firstName} %w{,9}', 'character_class', '%w{,9}', 12],
  ])('%j is refused: %s', (text, reason, variable, position) => {
    let thrown: unknown;
    try {
      compileText(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(VariableError);
    expect(thrown).toMatchObject({ name: 'VariableError', reason, variable, position });
  });

  it('has the personal variables of the specification', () => {
    expect(CONTACT_VARIABLES).toHaveLength(27);
    for (const name of CONTACT_VARIABLES) {
      expect(compileText(`{${name}}`).render({ [name]: 'x' })).toBe('x');
    }
  });

  it('restores any text with doubled braces', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'a', '|', ' ') }), (text) => {
        const escaped = text.replaceAll('{', '{{').replaceAll('}', '}}');
        expect(compileText(escaped).render({})).toBe(text);
      }),
    );
  });

  it('does not parse values', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const value = `x${text}`;
        expect(compileText('<{firstName}>').render({ firstName: value })).toBe(`<${value}>`);
      }),
    );
  });
});

it('compiles texts of calls with own values, which have variables of any name, but for those that every object has', () => {
  const text = compileText('Order {orderNumber|?} of {имя_1}', 'any');
  expect(text.names).toEqual(['orderNumber', 'имя_1']);
  expect(text.render({ имя_1: 'Anna' })).toBe('Order ? of Anna');
  expect(() => compileText('{orderNumber}')).toThrow(VariableError);
  for (const name of ['constructor', 'toString', 'valueOf']) {
    expect(() => compileText(`{${name}}`, 'any')).toThrow(VariableError);
    expect(isVariableName(name)).toBe(false);
  }
  expect(['a', 'x'.repeat(40), '1a', '_a', 'a b', 'x'.repeat(41), ''].map(isVariableName)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
