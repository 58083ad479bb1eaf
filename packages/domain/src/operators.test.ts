import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import seed from '../../../seeds/operators.csv?raw';
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

  it('gives all that is known of the operator', () => {
    expect(findOperator(table, '+79031234567')).toEqual({
      mcc: '250',
      mnc: '99',
      mccmnc: '25099',
      name: 'Beeline',
      country: 'RU',
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

  it('agrees with a search for the longest prefix', () => {
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

describe('seeds/operators.csv', () => {
  const table = parseOperators(seed);

  it('says where it comes from', () => {
    expect(seed).toMatch(/^# .*\n(# .*\n)*# Source.*libphonenumber/);
    expect(seed).toMatch(/# Licence.*Apache/);
  });

  it.each([
    ['+79031234567', '25099', 'Beeline'],
    ['+79261234567', '25002', 'MegaFon'],
    ['+79821234567', '25001', 'MTS'],
    ['+79521234567', '25020', 'Tele2'],
    ['+79990000000', '25002', 'MegaFon'],
    ['+79161234567', '250', 'Russia'],
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
  ])('knows %s as %s', (phone, mccmnc, name) => {
    expect(findOperator(table, phone)).toMatchObject({ mccmnc, name });
  });
});
