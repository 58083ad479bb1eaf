import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import prefixes from '../../../seeds/operators.csv?raw';
import ranges from '../../../seeds/ru-mobile-ranges.csv?raw';
import sample from './operators.sample.csv?raw';
import { findOperator, parseOperators } from './operators.ts';

describe('findOperator', () => {
  const table = parseOperators(
    [
      '# a comment',
      'prefix,mcc,mnc,country,name',
      '7,250,,RU,Russia',
      '7903,250,99,RU,Beeline',
      '79035,250,01,RU,MTS',
      '7903555,250,20,RU,Tele2',
      '77,401,,KZ,Kazakhstan',
      '375,257,,BY,Belarus',
      '',
    ].join('\n'),
  );

  it.each([
    ['+79031234567', '25099'],
    ['+79034999999', '25099'],
    ['+79035000000', '25001'],
    ['+79035550000', '25020'],
    ['+79035559999', '25020'],
    ['+79035560000', '25001'],
    ['+79036000000', '25099'],
    ['+79040000000', '250'],
    ['+77011234567', '401'],
    ['+78001234567', '250'],
    ['+375291234567', '257'],
    ['+376291234', undefined],
    ['+1', undefined],
    ['+99999999', undefined],
  ])('%s is %s', (phone, mccmnc) => {
    expect(findOperator(table, phone)?.mccmnc).toBe(mccmnc);
  });

  it('returns all fields of the operator', () => {
    expect(findOperator(table, '+79031234567')).toEqual({
      mcc: '250',
      mnc: '99',
      mccmnc: '25099',
      name: 'Beeline',
      country: 'RU',
      region: null,
    });
  });

  it('finds nothing in an empty table', () => {
    expect(findOperator(parseOperators(''), '+79031234567')).toBeNull();
  });

  it.each(['7903;250;99;RU;Beeline', '7903,25,99,RU,Beeline', '+7,250,,RU,Russia'])(
    'refuses %j and names the line',
    (line) => {
      expect(() => parseOperators(`# c\n${line}`)).toThrow('operators: line 2');
    },
  );

  it('equals a linear search for the longest prefix', () => {
    const prefixes = fc.uniqueArray(fc.stringMatching(/^[1-3]{1,5}$/), { maxLength: 40 });
    fc.assert(
      fc.property(prefixes, fc.stringMatching(/^[1-3]{7,10}$/), (all, phone) => {
        const built = parseOperators(all.map((p) => `${p},250,,RU,n${p}`).join('\n'));
        const longest = all
          .filter((p) => phone.startsWith(p))
          .sort((x, y) => y.length - x.length)[0];
        const found = findOperator(built, `+${phone}`)?.name;
        expect(found).toBe(longest === undefined ? undefined : `n${longest}`);
      }),
      { numRuns: 500 },
    );
  });
});

describe('ranges with prefixes', () => {
  const under = '7,250,,RU,Russia\n7903,250,99,RU,Beeline\n79035,250,01,RU,MTS';
  const table = parseOperators(
    under,
    [
      'first,last,mnc,name,region',
      '79034999990,79035000009,20,Tele2,Moscow',
      '79036000000,79036000000,02,MegaFon,Tver',
      '79036000001,79036000009,02,MegaFon,Tver',
      '79036000010,79036000010,,Small One,',
    ].join('\n'),
  );

  it.each([
    ['+79034999989', '25099', null],
    ['+79034999990', '25020', 'Moscow'],
    ['+79035000009', '25020', 'Moscow'],
    ['+79035000010', '25001', null],
    ['+79035999999', '25001', null],
    ['+79036000000', '25002', 'Tver'],
    ['+79036000009', '25002', 'Tver'],
    ['+79036000010', '250', null],
    ['+79036000011', '25099', null],
    ['+79040000000', '250', null],
  ])('%s is %s in %s', (phone, mccmnc, region) => {
    expect(findOperator(table, phone)).toMatchObject({ mccmnc, region });
  });

  it.each(['7903,7904,01,MTS,x', '79030000000,79030000009,01,MTS', 'a,b,c,d,e'])(
    'refuses %j',
    (line) => {
      expect(() => parseOperators('', line)).toThrow('line 1');
    },
  );

  it('refuses ranges that overlap', () => {
    const lines = '79030000000,79030000009,01,MTS,x\n79030000009,79030000019,02,MegaFon,x';
    expect(() => parseOperators('', lines)).toThrow('overlap');
  });

  it('equals a linear search of the ranges', () => {
    const cut = fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(cut, fc.integer({ min: 0, max: 999 }), (cuts, number) => {
        const ends = cuts.toSorted((a, b) => a - b);
        const pairs = ends.flatMap((first, i) =>
          i % 2 || i + 1 >= ends.length ? [] : [[first, ends[i + 1]!]],
        );
        const of = (n: number) => `79030000${String(n).padStart(3, '0')}`;
        const lines = pairs.map(([first, last], i) => `${of(first!)},${of(last!)},01,n${i},`);
        const built = parseOperators(under, lines.join('\n'));
        const expected = pairs.findIndex(([first, last]) => first! <= number && number <= last!);
        const found = findOperator(built, `+${of(number)}`)?.name;
        expect(found).toBe(expected < 0 ? 'Beeline' : `n${expected}`);
      }),
      { numRuns: 300 },
    );
  });
});

describe('seeds/operators.csv and seeds/ru-mobile-ranges.csv', () => {
  const table = parseOperators(prefixes, ranges);

  it('names its source', () => {
    expect(prefixes).toMatch(/^# .*\n(# .*\n)*# Source.*libphonenumber/);
    expect(prefixes).toMatch(/# Licence.*Apache/);
    expect(ranges).toMatch(/^# .*\n(# .*\n)*# Source.*state register/);
    expect(ranges).toMatch(/Licence: MIT/);
  });

  it.each([
    ['+79031234567', '25099', 'Beeline'],
    ['+79261234567', '25002', 'MegaFon'],
    ['+79821234567', '25001', 'MTS'],
    ['+79521234567', '25020', 'Tele2'],
    ['+79990000000', '25011', 'Yota'],
    ['+79161234567', '25001', 'MTS'],
    ['+79151234567', '25001', 'MTS'],
    ['+79991234567', '25011', 'Yota'],
    ['+74951234567', '250', 'Russia'],
    ['+77011234567', '40102', 'Kcell'],
    ['+77771234567', '40101', 'Beeline'],
    ['+77071234567', '40177', 'Tele2'],
    ['+77172123456', '401', 'Kazakhstan'],
    ['+375291234567', '25701', 'A1'],
    ['+375331234567', '25702', 'MTS'],
    ['+998901234567', '43404', 'Beeline'],
    ['+996555123456', '43705', 'MegaCom'],
    ['+37494123456', '28305', 'VivaCell-MTS'],
    ['+994501234567', '40001', 'Azercell'],
    ['+37369123456', '25901', 'Orange'],
    ['+992927123456', '43601', 'Tcell'],
    ['+99365123456', '43802', 'TM-Cell'],
    ['+995599123456', '28202', 'Magti'],
    ['+4915112345678', '262', 'Germany'],
    ['+12025550123', '310', 'United States'],
    ['+14165550123', '302', 'Canada'],
  ])('finds for %s the network %s', (phone, mccmnc, name) => {
    expect(findOperator(table, phone)).toMatchObject({ mccmnc, name });
  });

  const REGISTERED: Record<string, string> = {
    'ПАО "Мобильные ТелеСистемы"': '25001',
    'ПАО "МегаФон"': '25002',
    'ПАО "Вымпел-Коммуникации"': '25099',
    'ООО "Т2 Мобайл"': '25020',
    'АО "Теле2-Санкт-Петербург"': '25020',
    'ООО "Скартел"': '25011',
    'ПАО "Ростелеком"': '25039',
    'ООО "Сбербанк-Телеком"': '25050',
    'ООО "ЕКАТЕРИНБУРГ-2000"': '25035',
    'ООО "Тинькофф Мобайл"': '25062',
  };
  const numbers = sample.split('\n').filter((line) => line.startsWith('+'));

  it('finds 3,000 sample numbers of the register with their regions', () => {
    expect(numbers).toHaveLength(3000);
    for (const line of numbers) {
      const [phone, operator] = line.split(',') as [string, string];
      const found = findOperator(table, phone);
      expect(found, line).toMatchObject({ country: 'RU' });
      expect(found?.region, line).toBeTruthy();
      const registered = REGISTERED[operator];
      const expected = registered ? new RegExp(`^${registered}$`) : /^(?!250(01|02|99|20)$)/;
      expect(found?.mccmnc, line).toMatch(expected);
    }
  });

  it('has network codes for four fifths of them', () => {
    const known = numbers.filter((line) => REGISTERED[line.split(',')[1]!]);
    expect(known.length).toBeGreaterThan(2400);
  });
});
