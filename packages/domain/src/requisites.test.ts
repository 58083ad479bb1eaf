import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bankErrors, withControlDigit } from './bank-accounts.ts';
import { isValidOgrn, isValidOkpo, organizationKind, requisiteErrors } from './requisites.ts';

/** Published numbers of banks: BIK and correspondent account. */
const BANKS = [
  ['044525225', '30101810400000000225'],
  ['044525187', '30101810700000000187'],
  ['044525411', '30101810145250000411'],
  ['044525593', '30101810200000000593'],
  ['044525974', '30101810145250000974'],
  ['044525823', '30101810200000000823'],
  ['044525700', '30101810200000000700'],
  ['044525111', '30101810200000000111'],
  ['044525555', '30101810400000000555'],
  ['044525659', '30101810745250000659'],
  ['044525545', '30101810300000000545'],
  ['044525256', '30101810000000000256'],
  ['044525360', '30101810445250000360'],
  ['044525092', '30101810645250000092'],
  ['044525104', '30101810745374525104'],
  ['044525999', '30101810845250000999'],
  ['044525068', '30101810645374525068'],
  ['044525201', '30101810000000000201'],
  ['044030653', '30101810500000000653'],
  ['046577674', '30101810500000000674'],
] as const;

const company = {
  opf: 'ООО',
  inn: '7700000009',
  ogrn: '1027700132195',
  kpp: '770001001',
  okpo: '00032537',
};
const person = { opf: 'ИП', inn: '500100732259', ogrn: '304500116000157', kpp: '', okpo: null };
const sber = { bik: '044525225', rs: '40702810200000012345', ks: '30101810400000000225' };

it.each(BANKS)(
  'the correspondent account of BIK %s is accepted, with its control sum',
  (bik, ks) => {
    const rs = withControlDigit('40702810000000012345', bik);
    expect(bankErrors({ bik, rs, ks }, 'commercial')).toEqual([]);
  },
);

it('a wrong digit anywhere in an account is noticed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...BANKS),
      fc.nat(10 ** 11 - 1),
      fc.integer({ min: 5, max: 19 }),
      fc.integer({ min: 1, max: 9 }),
      ([bik, ks], number, at, change) => {
        const right = withControlDigit(`407028100${String(number).padStart(11, '0')}`, bik);
        const swap = (text: string) =>
          `${text.slice(0, at)}${(Number(text[at]) + change) % 10}${text.slice(at + 1)}`;
        expect(bankErrors({ bik, rs: right, ks }, 'commercial')).toEqual([]);
        expect(bankErrors({ bik, rs: swap(right), ks: swap(ks) }, 'commercial')).toEqual([
          { field: 'rs', rule: 'account_bik' },
          { field: 'ks', rule: 'account_bik' },
        ]);
      },
    ),
  );
});

it('the numbers of a company and of an entrepreneur are accepted', () => {
  expect(requisiteErrors(company, sber)).toEqual([]);
  const rs = withControlDigit('40802810000000012345', sber.bik);
  expect(requisiteErrors(person, { ...sber, rs })).toEqual([]);
  expect(requisiteErrors({ opf: '', inn: '', ogrn: '' }, { bik: '', rs: '', ks: '' })).toEqual([]);
});

describe('refuses', () => {
  const rules = (legal: object, bank: object = {}) =>
    requisiteErrors({ ...company, ...legal }, { ...sber, ...bank }).map(
      ({ field, rule }) => `${field} ${rule}`,
    );
  const paid = (account: string) => ({ rs: withControlDigit(account, sber.bik) });
  it.each<[what: string, legal: object, bank: object, expected: string[]]>([
    ['an INN of 11 digits', { inn: '77000000091' }, {}, ['legal.inn inn_length']],
    ['letters in an INN', { inn: '77000000O9' }, {}, ['legal.inn inn_length']],
    ['wrong check digits of an INN', { inn: '7700000001' }, {}, ['legal.inn inn_check']],
    ['the INN of a person for a company', { inn: '500100732259' }, {}, ['legal.inn inn_kind']],
    ['an OGRN of 14 digits', { ogrn: '10277001321950' }, {}, ['legal.ogrn ogrn_length']],
    ['wrong check digits of an OGRN', { ogrn: '1027700132196' }, {}, ['legal.ogrn ogrn_check']],
    [
      'the OGRN of a person for a company',
      { ogrn: '304500116000157' },
      {},
      ['legal.ogrn ogrn_kind'],
    ],
    ['a KPP of 8 digits', { kpp: '77000100' }, {}, ['legal.kpp kpp_format']],
    ['letters at the wrong place of a KPP', { kpp: '7700010AB' }, {}, ['legal.kpp kpp_format']],
    ['an OKPO of 9 digits', { okpo: '000325370' }, {}, ['legal.okpo okpo_length']],
    ['wrong check digits of an OKPO', { okpo: '00032538' }, {}, ['legal.okpo okpo_check']],
    ['the OKPO of a person for a company', { okpo: '0123456789' }, {}, ['legal.okpo okpo_kind']],
    // Without a valid BIK only the form of the accounts is checked.
    ['a foreign BIK', {}, { bik: '144525225' }, ['bank.bik bik_format']],
    [
      'the BIK of a settlement center',
      {},
      { bik: '044525000' },
      ['bank.bik bik_settlement_center'],
    ],
    [
      'the BIK of another bank',
      {},
      { bik: '044525974' },
      ['bank.rs account_bik', 'bank.ks account_bik'],
    ],
    ['an account of 19 digits', {}, { rs: '4070281020000001234' }, ['bank.rs account_length']],
    ['an account of an entrepreneur', {}, paid('40802810000000012345'), ['bank.rs account_kind']],
    ['an account of a nonprofit', {}, paid('40703810000000012345'), ['bank.rs account_kind']],
    ['a settlement account as correspondent', {}, { ks: sber.rs }, ['bank.ks ks_prefix']],
  ])('%s', (_, legal, bank, expected) => {
    expect(rules(legal, bank)).toEqual(expected);
  });

  it('the numbers of a company for an entrepreneur', () => {
    expect(
      requisiteErrors({ ...company, opf: 'ИП' }, sber).map(({ field, rule }) => `${field} ${rule}`),
    ).toEqual([
      'legal.inn inn_kind',
      'legal.ogrn ogrn_kind',
      'legal.kpp kpp_kind',
      'legal.okpo okpo_kind',
      'bank.rs account_kind',
    ]);
  });
});

it.each([
  ['1027700132195', true],
  ['304500116000157', true],
  ['1027700132196', false],
  ['304500116000158', false],
  ['0000000000000', false],
  ['', false],
])('%j is an OGRN: %s', (text, expected) => {
  expect(isValidOgrn(text)).toBe(expected);
});

it.each([
  ['00032537', true],
  ['00040778', true],
  ['00032538', false],
  ['0000000', false],
  ['0123456789', true],
  ['0123456788', false],
])('%j is an OKPO: %s', (text, expected) => {
  expect(isValidOkpo(text)).toBe(expected);
});

it('the kind follows the form of organization, then the length of the INN', () => {
  expect(organizationKind(' ООО ', '500100732259')).toBe('commercial');
  expect(organizationKind('Индивидуальный предприниматель', '')).toBe('entrepreneur');
  expect(organizationKind('Кооператив', '7700000009')).toBe('other');
  expect(organizationKind('Адвокат', '500100732259')).toBe('entrepreneur');
  // Not a key of a prototype.
  expect(organizationKind('constructor', '7700000009')).toBe('other');
});

it('takes any text without an error', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 8, maxLength: 8 }), (given) => {
      const [opf, inn, ogrn, kpp, okpo, bik, rs, ks] = given as [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      expect(requisiteErrors({ opf, inn, ogrn, kpp, okpo }, { bik, rs, ks })).toBeInstanceOf(Array);
    }),
  );
});
