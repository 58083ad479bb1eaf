import { describe, expect, it } from 'vitest';
import { composeComment, isValidInn, parseComment, senderCommentErrors } from './tax-ids.ts';

it.each([
  ['7700000009', true],
  ['7707083893', true],
  ['500100732259', true],
  ['770000000082', true],
  ['7700000001', false],
  ['500100732258', false],
  ['500100732269', false],
  ['0000000000', false],
  ['770000000', false],
  ['77000000091', false],
  ['', false],
])('%j is an INN: %s', (text, expected) => {
  expect(isValidInn(text)).toBe(expected);
});

describe('senderCommentErrors', () => {
  it.each([
    ['ООО «Чайный дом», ИНН 7700000009', []],
    ['ООО «Чайный дом», ИНН 7700000009, номер по договору 12', []],
    ['ИП Зернов Б. А., ИНН 500100732259', []],
    ['Tea House LLC INN7700000009 KPP 770001001', []],
    ['7700000009 ООО Ромашка, договор 12345678', []],
    ['Tea House GmbH, DE123456789', []],
    ['Herbata sp. z o.o., PL5252344078', []],
    ['Tea House Inc, EIN 12-3456789', []],
    ['Chá Ltda, CNPJ 12.345.678/0001-95', []],
    ['Tea House Ltd, tax id 12345678', []],
    ['Tea House LLC', ['tax_id']],
    ['Tea House LLC, tax id 1234567', ['tax_id']],
    ['Tea House LLC, +79161234567', ['tax_id']],
    ['Tea House LLC, INN 7700000001', ['inn']],
    ['Tea House LLC, 7700000001', ['inn']],
    ['Tea House LLC, 770000000001, contract 12345678', ['inn']],
    ['Tea House LLC, ИНН 770000000', ['inn']],
    ['ИНН 7700000009', ['company']],
    ['7700000009', ['company']],
    ['', ['company', 'tax_id']],
    ['12', ['company', 'tax_id']],
  ])('%j violates %j', (comment, expected) => {
    expect(senderCommentErrors(comment)).toEqual(expected);
  });

  it.each([
    [
      { company: 'ООО «Чайный дом»', taxId: '7700 000 009', more: 'По договору 12' },
      'ООО «Чайный дом», ИНН 7700000009. По договору 12',
    ],
    [
      { company: ' Tea House LLC ', taxId: '7700000009', more: '' },
      'Tea House LLC, INN 7700000009',
    ],
    [
      { company: 'Tea House GmbH', taxId: 'DE123456789', more: '' },
      'Tea House GmbH, tax id DE123456789',
    ],
    [{ company: 'ТОО Чай', taxId: '12345678', more: '' }, 'ТОО Чай, налоговый номер 12345678'],
  ])('%j is composed as %j and parsed', (fields, comment) => {
    expect(composeComment(fields)).toBe(comment);
    expect(senderCommentErrors(comment)).toEqual([]);
    const taxId = fields.taxId.replace(/\s/g, '');
    expect(parseComment(comment)).toEqual({ ...fields, company: fields.company.trim(), taxId });
  });

  it('returns a comment in another format as it is', () => {
    const more = 'Tea House LLC, 7700000009\nSee the contract';
    expect(parseComment(more)).toEqual({ company: '', taxId: '', more });
  });
});
