import { describe, expect, it } from 'vitest';
import {
  accountFileColumns,
  accountFileField,
  parseAccountFileRow,
  type AccountFileField,
} from './account-change-files.ts';
import { parseMoney } from './money.ts';
import { findSuperlinear } from './testing/complexity.ts';

const LIMITS = { amount: parseMoney(1e9), lookupDays: 30, reason: 500 };

describe('accountFileField', () => {
  it.each<[string, AccountFileField]>([
    ['Username', 'account'],
    ['E-mail', 'account'],
    ['ID аккаунта', 'account'],
    ['Nome de usuário', 'account'],
    ['Тарифный план', 'tariff'],
    ['Overdraft, EUR', 'overdraft'],
    ['Überziehung (EUR)', 'overdraft'],
    ['Límite de crédito', 'overdraft'],
    ['Типы сообщений', 'types'],
    ['sendernamesCheck', 'sendernamesCheck'],
    ['lookupDays', 'lookupDays'],
    ['Kundenbetreuer', 'manager'],
    ['isTest', 'isTest'],
    ['Plafond par jour', 'day'],
    ['Лимит в месяц', 'month'],
    ['Time zone', 'timeZone'],
    ['Часовой пояс', 'timeZone'],
    ['Причина приостановки', 'suspension'],
  ])('%s is %s', (header, field) => {
    expect(accountFileField(header)).toBe(field);
  });

  it.each(['', 'Turnover', 'constructor', '__proto__', 'a'.repeat(101), '=1+1'])(
    '%s is no column',
    (header) => {
      expect(accountFileField(header)).toBeNull();
    },
  );
});

describe('accountFileColumns', () => {
  it('takes the first column of a field and names the others', () => {
    expect(accountFileColumns(['ID', 'Username', ' Overdraft ', '', 'Turnover', 'Credit'])).toEqual(
      {
        columns: { account: 0, overdraft: 2 },
        unread: ['Username', 'Turnover', 'Credit'],
      },
    );
  });

  it.each([[['Account']], [['Overdraft', 'Tariff']], [[]], [['Our customers', 'in May']]])(
    '%j is no header',
    (cells) => {
      expect(accountFileColumns(cells)).toBeNull();
    },
  );
});

const parse = (field: AccountFileField, cell: string, formulas: number[] = []) =>
  parseAccountFileRow(['tea', cell], formulas, { columns: { account: 0, [field]: 1 } }, LIMITS);

describe('parseAccountFileRow', () => {
  it.each<[AccountFileField, string, unknown]>([
    ['tariff', ' Base ', 'Base'],
    ['tariff', '019300AA-0000-7000-8000-0000000000FF', '019300aa-0000-7000-8000-0000000000ff'],
    ['tariff', '-', null],
    ['tariff', '—', null],
    ['tariff', "'-", null],
    ['overdraft', '1 234,56', 1234.56],
    ['overdraft', '0', 0],
    ['overdraft', '0.1234', 0.1234],
    ['types', 'SMS, Viber; voice call', ['sms', 'viber', 'voice']],
    ['types', 'Звонок;sms;SMS', ['sms', 'voice']],
    ['types', 'chat_telegram | Chat de VK', ['chat_telegram', 'chat_vk']],
    ['types', '−', null],
    ['sendernamesCheck', 'sms', ['sms']],
    ['lookupDays', '30', 30],
    ['lookupDays', '-', null],
    ['manager', 'Ann@Tea.example', 'Ann@Tea.example'],
    ['manager', '-', null],
    ['isTest', 'Да', true],
    ['isTest', 'no', false],
    ['day', '100', 100],
    ['day', '-', null],
    ['month', '1,234.5', 1234.5],
    ['timeZone', 'Europe/Berlin', 'Europe/Berlin'],
    ['suspension', 'No\npayment', 'No payment'],
    ['suspension', "'+7 does not answer", '+7 does not answer'],
    ['suspension', '-', null],
  ])('%s reads %j', (field, cell, value) => {
    expect(parse(field, cell)).toEqual({ account: 'tea', values: { [field]: value }, errors: [] });
  });

  it.each<[AccountFileField, string, string]>([
    ['overdraft', '-5', 'number'],
    ['overdraft', '-', 'not_cleared'],
    ['overdraft', 'much', 'number'],
    ['overdraft', '1,234', 'ambiguous_number'],
    ['overdraft', '1.23456', 'decimals'],
    ['overdraft', '1000000001', 'too_big'],
    ['overdraft', '=1+1', 'formula'],
    ['overdraft', " =cmd|' /C calc'!A0", 'formula'],
    ['types', 'sms, fax', 'types'],
    ['types', ';', 'types'],
    ['types', 'sms,'.repeat(200), 'types'],
    ['lookupDays', '31', 'too_big'],
    ['lookupDays', '1.5', 'number'],
    ['isTest', 'perhaps', 'yes_no'],
    ['isTest', '-', 'not_cleared'],
    ['timeZone', 'Moscow', 'time_zone'],
    ['timeZone', '+03:00', 'time_zone'],
    ['timeZone', '-', 'not_cleared'],
    ['suspension', 'x'.repeat(501), 'too_long'],
    ['tariff', 'x'.repeat(255), 'too_long'],
    ['suspension', '=HYPERLINK("https://evil.example")', 'formula'],
  ])('%s refuses %j', (field, cell, reason) => {
    expect(parse(field, cell)).toEqual({
      account: 'tea',
      values: {},
      errors: [{ field, reason }],
    });
  });

  it('leaves what an empty cell or a short row does not name', () => {
    const columns = { columns: { account: 0, tariff: 1, overdraft: 2, isTest: 3 } };
    expect(parseAccountFileRow(['tea', ' ', '\u00a0'], [], columns, LIMITS)).toEqual({
      account: 'tea',
      values: {},
      errors: [],
    });
  });

  it('refuses a computed cell, and a row without an account, with all that is wrong in it', () => {
    expect(parse('overdraft', '5', [1]).errors).toEqual([
      { field: 'overdraft', reason: 'formula' },
    ]);
    const columns = { columns: { account: 0, overdraft: 1, isTest: 2 } };
    expect(parseAccountFileRow(['', 'x', 'y es'], [], columns, LIMITS).errors).toEqual([
      { field: 'account', reason: 'no_account' },
      { field: 'overdraft', reason: 'number' },
      { field: 'isTest', reason: 'yes_no' },
    ]);
    expect(parseAccountFileRow(['x'.repeat(300), '', ''], [], columns, LIMITS)).toMatchObject({
      account: 'x'.repeat(254),
      errors: [{ field: 'account', reason: 'unknown_account' }],
    });
  });

  it('takes linear time for any cell', () => {
    expect(findSuperlinear(accountFileField)).toEqual([]);
    for (const field of ['tariff', 'overdraft', 'types', 'isTest', 'timeZone'] as const)
      expect(findSuperlinear((cell) => parse(field, cell))).toEqual([]);
  });
});
