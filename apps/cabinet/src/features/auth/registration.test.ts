import { Registration } from '@heliograph/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveDraft, metaOf, readDraft } from './draft.ts';
import { EMPTY, registrationRules, withEmail, type RegistrationValues } from './registration.ts';

const good: RegistrationValues = {
  ...EMPTY,
  username: 'anna.smirnova',
  password: 'tea & 2 cups',
  confirm: 'tea & 2 cups',
  firstName: 'Анна',
  email: 'anna@tea.example',
  phone: '+79001234567',
};

const brokenRules = (...given: Parameters<typeof registrationRules>) =>
  Object.fromEntries(Object.entries(registrationRules(...given)).filter(([, rule]) => rule));

describe('the rules', () => {
  const cases: Partial<RegistrationValues>[] = [
    {},
    ...['', 'anna', 'a nna', 'имя-имя', `${'a'.repeat(145)}@b.de`, 'a'.repeat(151), 'a+b@c.de'].map(
      (username) => ({ username }),
    ),
    ...['', '12345', 'пароль12', 'a'.repeat(18), '      '].map((password) => ({
      password,
      confirm: password,
    })),
    ...[
      '',
      ' ',
      'Anna1',
      'Анна-Мария',
      "O'Neil",
      'Әлия',
      'Łukasz',
      '安娜',
      'Анна-Мари\u0438\u0306',
      '<b>',
      'я'.repeat(61),
    ].map((firstName) => ({
      firstName,
    })),
    ...['', 'Smith2', 'García', 'Ёлкина'].map((lastName) => ({ lastName })),
    ...[
      '',
      'anna',
      'anna@tea',
      'a@b.c',
      'Anna@Tea.Example',
      'a..b@c.de',
      '.a@b.de',
      'a b@c.de',
      'info@чай.рф',
    ].map((email) => ({ email })),
    ...['', '123', '+79001234567'].map((phone) => ({ phone })),
  ];

  it.each(cases)('of the page are those of the contract: %j', (changes) => {
    const form = { ...good, ...changes };
    const { username, password, firstName, lastName, email, phone } = form;
    const body = { username, password, data: { firstName, lastName, email, phone } };
    const found = Registration.safeParse(body);
    const fields = found.error?.issues.map((issue) => String(issue.path.at(-1))) ?? [];
    const { confirm: _, ...broken } = brokenRules(form);
    expect(Object.keys(broken).sort()).toEqual([...new Set(fields)].sort());
  });

  it('judge a login by its length and do not cut what may become an e-mail', () => {
    const broken = (username: string) => brokenRules({ ...good, username }).username;
    expect(broken('a'.repeat(16))).toBeUndefined();
    expect(broken('anna.petrova.long')).toBe('invalid_format');
    expect(broken('anna.petrova.long@tea.example')).toBeUndefined();
  });

  it('ask for a password as long as the installation does', () => {
    const long = { ...good, password: 'a'.repeat(19), confirm: 'a'.repeat(19) };
    expect(brokenRules(long)).toEqual({ password: 'invalid_format' });
    expect(brokenRules(long, { min: 12, max: 64 })).toEqual({});
    expect(brokenRules(good, { min: 16, max: 64 })).toEqual({ password: 'invalid_format' });
  });

  it('tell a missing value from a wrong one, and a confirmation that differs', () => {
    const form = { ...good, username: 'a b', email: '', confirm: 'another' };
    expect(brokenRules(form)).toEqual({
      username: 'invalid_format',
      email: 'required',
      confirm: 'mismatch',
    });
  });
});

it('an e-mail that is the login follows it, also through what is none, until another is typed', () => {
  let state = { values: EMPTY, copied: '' };
  const type = (changes: Partial<RegistrationValues>) =>
    (state = withEmail(state.values, changes, state.copied)).values.email;
  expect(type({ username: 'anna.petrova@tea.ex' })).toBe('anna.petrova@tea.ex');
  expect(type({ username: 'anna.petrova@tea.e' })).toBe('anna.petrova@tea.ex');
  expect(type({ username: 'anna.petrova@tea' })).toBe('anna.petrova@tea.ex');
  expect(type({ username: 'anna.petrova@cup.example' })).toBe('anna.petrova@cup.example');
  expect(type({ email: 'vera@tea.example' })).toBe('vera@tea.example');
  expect(type({ username: 'anna@tea.example' })).toBe('vera@tea.example');
});

describe('a draft', () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    for (const area of ['localStorage', 'sessionStorage'])
      vi.stubGlobal(area, {
        getItem: (key: string) => stored.get(`${area} ${key}`) ?? null,
        setItem: (key: string, value: string) => void stored.set(`${area} ${key}`, value),
      });
  });
  const params = (text: string) => new URLSearchParams(text);

  it('comes back without the password', () => {
    saveDraft(good, { source: 'ads' });
    expect([...stored.values()].join()).not.toContain('cups');
    // What all tabs and all later visitors of the browser can read names nobody.
    const shared = [...stored].filter(([key]) => key.startsWith('localStorage'));
    expect(shared).toEqual([['localStorage heliograph.source', '{"source":"ads"}']]);
    expect(readDraft(params(''))).toEqual({
      values: { ...good, password: '', confirm: '' },
      meta: { source: 'ads' },
    });
  });

  it('keeps where the visitor came from until another address says otherwise', () => {
    const query = params('ref=TEA&source=ads&survey=spring&salon_id=7&utm=x');
    const meta = { usedReferralCode: 'TEA', source: 'ads', survey: 'spring', salon_id: '7' };
    expect(metaOf(query)).toEqual(meta);
    saveDraft(good, meta);
    expect(readDraft(params('ref=COFFEE')).meta).toEqual({ ...meta, usedReferralCode: 'COFFEE' });
  });

  it.each(['not json', 'null', '[]', '{"username":5,"password":"secret"}'])(
    'that is %s is no draft',
    (text) => {
      stored.set('sessionStorage heliograph.registrationForm', text);
      expect(readDraft(params('')).values).toEqual(EMPTY);
    },
  );
});
