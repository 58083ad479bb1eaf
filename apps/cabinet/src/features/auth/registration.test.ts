import { Registration } from '@heliograph/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keepDraft, metaOf, readDraft } from './draft.ts';
import { EMPTY, problemsOf, withEmail, type RegistrationForm } from './registration.ts';

const good: RegistrationForm = {
  ...EMPTY,
  username: 'anna.smirnova',
  password: 'tea & 2 cups',
  confirm: 'tea & 2 cups',
  firstName: 'Анна',
  email: 'anna@tea.example',
  phone: '+79001234567',
};

describe('the rules', () => {
  const cases: Partial<RegistrationForm>[] = [
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
    const { confirm: _, ...problems } = problemsOf(form);
    expect(Object.keys(problems).sort()).toEqual([...new Set(fields)].sort());
  });

  it('judge a login by its length and do not cut what may become an e-mail', () => {
    const problem = (username: string) => problemsOf({ ...good, username }).username;
    expect(problem('a'.repeat(16))).toBeUndefined();
    expect(problem('anna.petrova.long')).toBe('invalid');
    expect(problem('anna.petrova.long@tea.example')).toBeUndefined();
  });

  it('ask for a password as long as the installation does', () => {
    const long = { ...good, password: 'a'.repeat(19), confirm: 'a'.repeat(19) };
    expect(problemsOf(long)).toEqual({ password: 'invalid' });
    expect(problemsOf(long, { min: 12, max: 64 })).toEqual({});
    expect(problemsOf(good, { min: 16, max: 64 })).toEqual({ password: 'invalid' });
  });

  it('tell a missing value from a wrong one, and a confirmation that differs', () => {
    const form = { ...good, username: 'a b', email: '', confirm: 'another' };
    expect(problemsOf(form)).toEqual({
      username: 'invalid',
      email: 'required',
      confirm: 'mismatch',
    });
  });
});

it('an e-mail that is the login follows it, also through what is none, until another is typed', () => {
  let state = { form: EMPTY, copied: '' };
  const type = (changes: Partial<RegistrationForm>) =>
    (state = withEmail(state.form, changes, state.copied)).form.email;
  expect(type({ username: 'anna.petrova@tea.ex' })).toBe('anna.petrova@tea.ex');
  expect(type({ username: 'anna.petrova@tea.e' })).toBe('anna.petrova@tea.ex');
  expect(type({ username: 'anna.petrova@tea' })).toBe('anna.petrova@tea.ex');
  expect(type({ username: 'anna.petrova@cup.example' })).toBe('anna.petrova@cup.example');
  expect(type({ email: 'vera@tea.example' })).toBe('vera@tea.example');
  expect(type({ username: 'anna@tea.example' })).toBe('vera@tea.example');
});

describe('a draft', () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
  });
  const params = (text: string) => new URLSearchParams(text);

  it('comes back without the password', () => {
    keepDraft(good, { source: 'ads' });
    expect([...kept.values()].join()).not.toContain('cups');
    expect(readDraft(params(''))).toEqual({
      form: { ...good, password: '', confirm: '' },
      meta: { source: 'ads' },
    });
  });

  it('keeps where the visitor came from until another address says otherwise', () => {
    const query = params('ref=TEA&source=ads&survey=spring&salon_id=7&utm=x');
    const meta = { usedReferralCode: 'TEA', source: 'ads', survey: 'spring', salon_id: '7' };
    expect(metaOf(query)).toEqual(meta);
    keepDraft(good, meta);
    expect(readDraft(params('ref=COFFEE')).meta).toEqual({ ...meta, usedReferralCode: 'COFFEE' });
  });

  it.each(['not json', 'null', '[]', '{"username":5,"password":"secret"}'])(
    'that is %s is no draft',
    (text) => {
      kept.set('heliograph.registration', text);
      expect(readDraft(params('')).form).toEqual(EMPTY);
    },
  );
});
