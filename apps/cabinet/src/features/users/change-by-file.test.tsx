import { PERMISSIONS, type AccountChangesPreview } from '@heliograph/contract';
import { ACCOUNT_FILE_FIELDS, accountFileField, parseAccountFileRow } from '@heliograph/domain';
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ChangeByFile } from './change-by-file.tsx';

const permissions = Object.fromEntries(Object.keys(PERMISSIONS).map((name) => [name, 'manager']));
const t = (key: string, values = {}) => String(i18n.t(key, values));
const idOf = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const KEY = '01930000-0000-7000-8000-0000000000f1';

type Row = AccountChangesPreview['rows'][number];
const changed = (n: number): Row => ({
  row: n + 1,
  account: `user-${n}`,
  Owner: { id: idOf(n), username: `user-${n}` },
  change: { id: idOf(n), settings: { overdraft: 500, types: ['sms'] } },
  changes: [
    { field: 'overdraft', before: 0, after: 500 },
    { field: 'types', before: null, after: ['sms', 'voice'] },
    { field: 'tariff', before: ['Base', 'Viber'], after: ['Standard'] },
    { field: 'month', before: 7.5, after: null },
    { field: 'isTest', before: true, after: false },
  ],
  errors: [],
});
const wrong: Row = {
  row: 400,
  account: 'nobody',
  Owner: null,
  change: null,
  changes: [],
  errors: [
    { field: 'account', reason: 'unknown_account' },
    { field: 'overdraft', reason: 'ambiguous_number' },
  ],
};

type Body = { changes: { id: string }[] };
/** One stored file, what it would change, and a refusal of the second account of each call. */
function answer(preview: AccountChangesPreview) {
  const previewed: unknown[] = [];
  const bodies: Body[] = [];
  const error = { code: 'conflict', message: 'No.', field: null, rule: null };
  const file = {
    id: KEY,
    key: KEY,
    title: 'accounts.csv',
    size: 100,
    type: 'text/csv',
    createdAt: '2026-11-22T09:15:00.000Z',
  };
  server.use(
    http.get('*/api/storage', () =>
      HttpResponse.json({ data: [file], total: 1, limit: 12, offset: 0 }),
    ),
    http.post('*/api/users/changes/preview', async ({ request }) => {
      previewed.push(await request.json());
      return HttpResponse.json(preview);
    }),
    http.post<never, Body>('*/api/users/changes', async ({ request }) => {
      const body = await request.json();
      bodies.push(body);
      const data = body.changes.map(({ id }, i) => ({ id, error: i === 1 ? error : null }));
      return HttpResponse.json({ data });
    }),
  );
  return { previewed, bodies };
}
const drawn = (of = permissions) =>
  draw(<ChangeByFile opened onClose={() => {}} />, {
    namespaces: ['users', 'accountFiles', 'storage'],
    settings: { permissions: of, storage: { maxSize: 1000 } },
  });

test('a file is read, shown with its errors, and changed a hundred accounts at a time', async () => {
  const rows = [...Array.from({ length: 120 }, (_, n) => changed(n + 1)), wrong];
  const { previewed, bodies } = answer({
    columns: ['account', 'overdraft'],
    unread: ['Turnover'],
    rows,
  });
  const { user } = await drawn();
  await user.click(await screen.findByRole('button', { name: /accounts\.csv/ }));
  await screen.findByText(t('accountFiles:found', { rows: '121', changed: '120', refused: '1' }));
  expect(previewed).toEqual([{ from: { key: KEY }, timeZone: expect.any(String) }]);
  await screen.findByText('Turnover');
  const refusal = (field: string, reason: string) =>
    t('accountFiles:row', {
      number: '400',
      account: 'nobody',
      field: t(`accountFiles:fields.${field}`),
      reason: t(`accountFiles:reasons.${reason}`),
    });
  await screen.findByText(refusal('account', 'unknown_account'));
  await screen.findByText(refusal('overdraft', 'ambiguous_number'));
  const [, line] = within(screen.getByRole('table')).getAllByRole('row');
  const shown = (field: string, before: string, after: string) =>
    t('accountFiles:change', { field: t(`accountFiles:fields.${field}`), before, after });
  for (const text of [
    shown(
      'types',
      t('users:account.currencyDefault'),
      `${t('common:type.sms')}, ${t('common:type.voice')}`,
    ),
    shown('tariff', 'Base, Viber', 'Standard'),
    shown('month', '7.50', t('accountFiles:none')),
    shown('isTest', t('users:many.on'), t('users:many.off')),
  ])
    within(line!).getByText(text);
  // As many accounts are drawn, and the others are counted.
  screen.getByText(t('users:many.more', { count: 20, number: '20' }));
  expect(bodies).toEqual([]);
  await user.click(
    screen.getByRole('button', { name: t('accountFiles:submit', { count: 120, number: '120' }) }),
  );
  await screen.findByText(t('users:many.changed', { count: 118, number: '118' }));
  expect(bodies.map(({ changes }) => changes.length)).toEqual([100, 20]);
  expect(bodies[0]!.changes[0]).toEqual(changed(1).change);
  await screen.findByText(/user-102/);
  screen.getByRole('button', { name: t('users:many.save') });
});

test('a file in which nothing changes can be replaced by another one', async () => {
  const { bodies } = answer({ columns: ['account', 'overdraft'], unread: [], rows: [wrong] });
  const { user } = await drawn();
  await user.click(await screen.findByRole('button', { name: /accounts\.csv/ }));
  const submit = await screen.findByRole<HTMLButtonElement>('button', {
    name: t('accountFiles:submit', { count: 0, number: '0' }),
  });
  expect(submit.disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: t('accountFiles:another') }));
  await screen.findByRole('button', { name: t('accountFiles:sample') });
  expect(bodies).toEqual([]);
});

test('a refused file says why', async () => {
  answer({ columns: [], unread: [], rows: [] });
  server.use(
    http.post('*/api/users/changes/preview', () =>
      HttpResponse.json({ code: 'unreadable_file', message: 'No.' }, { status: 422 }),
    ),
  );
  const { user } = await drawn();
  await user.click(await screen.findByRole('button', { name: /accounts\.csv/ }));
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
});

const LOCALES = import.meta.glob<{
  fields?: Record<string, string>;
  type?: Record<string, string>;
}>('../../locales/*/{accountFiles,common}.json', { eager: true, import: 'default' });

test.each(Object.entries(LOCALES))(
  'headers and types of %s are those that are read',
  (_, texts) => {
    for (const [field, header] of Object.entries(texts.fields ?? {}))
      expect(accountFileField(header)).toBe(field);
    const limits = { amount: 1n, lookupDays: 1, reason: 1 };
    const columns = { columns: { account: 0, types: 1 } };
    for (const [type, label] of Object.entries(texts.type ?? {}))
      expect(parseAccountFileRow(['a', label], [], columns, limits).values.types).toEqual([type]);
    expect(Object.keys(texts.fields ?? {})).toEqual(texts.fields ? [...ACCOUNT_FILE_FIELDS] : []);
  },
);
