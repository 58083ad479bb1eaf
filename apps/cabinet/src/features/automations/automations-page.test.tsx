import type { Automation } from '@heliograph/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { AutomationsPage } from './automations-page.tsx';

const LIST = '01930000-0000-7000-8000-0000000000b1';
const row = (n: number, title: string, changes: Partial<Automation>): Automation => ({
  id: `01930000-0000-7000-8000-0000000000a${n}`,
  title,
  trigger: { when: 'listed', ListId: LIST },
  steps: [{ id: 1, do: 'wait', amount: 3, unit: 'days' }],
  timeZone: 'UTC',
  isActive: false,
  reason: null,
  startedAt: null,
  nextScanAt: null,
  entered: 0,
  done: 0,
  stopped: 0,
  left: 0,
  failed: 0,
  UserId: 'user',
  OwnerId: 'owner',
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  ...changes,
});
const t = (key: string, values = {}) => i18n.t(`automations:${key}` as 'automations:title', values);

async function drawn(data: Automation[], held: string[], at?: string) {
  server.use(
    http.get('*/api/automations', () => HttpResponse.json({ data, total: data.length })),
    http.get('*/api/contactLists', () => HttpResponse.json({ data: [], total: 0 })),
    http.get('*/api/sendernames', () => HttpResponse.json({ data: [], total: 0 })),
    http.get('*/api/segments', () => HttpResponse.json({ data: [], total: 0 })),
    http.get(`*/api/contactLists/${LIST}`, () =>
      HttpResponse.json({ id: LIST, title: 'Regulars', type: 'regular' }),
    ),
  );
  return draw(<AutomationsPage />, {
    at,
    namespaces: ['automations', 'contactLists', 'sendernames'],
    settings: {
      permissions: Object.fromEntries(held.map((name) => [name, 'me'])),
      advanced: { isRestricted: false },
      frontend: { brand: 'main' },
    },
  });
}
const button = (key: string, title: string) =>
  screen.queryByRole('button', { name: t(key, { title }) });

test('says when and what happens, and whether it runs', async () => {
  await drawn(
    [
      row(1, 'Draft', {}),
      row(2, 'Runs', { isActive: true, startedAt: '2026-07-01T12:00:00.000Z', entered: 2 }),
      row(3, 'Stopped', { reason: 'forbidden', startedAt: '2026-07-01T12:00:00.000Z' }),
      row(4, 'Word', {
        trigger: { when: 'keyword', keywords: ['tea', 'oolong'], mode: 'contains' },
      }),
    ],
    ['automations.get', 'automations.update', 'contactLists.get', 'contacts.get'],
  );
  await screen.findByText('Draft', { selector: '[title]' });
  await screen.findAllByText('When a contact is added to “Regulars”');
  screen.getByText('When a message contains “tea” or “oolong”');
  expect(screen.getAllByText('wait 3 days')).toHaveLength(4);
  screen.getByText(t('why.forbidden'));
  expect(button('start', 'Draft')).toBeTruthy();
  expect(button('pause', 'Runs')).toBeTruthy();
  expect(button('people.of', 'Runs')).toBeTruthy();
  expect(button('people.of', 'Draft')).toBeNull();
});

test('who may only read starts and pauses nothing', async () => {
  await drawn([row(1, 'Welcome', {})], ['automations.get']);
  await screen.findByText('Welcome');
  expect(button('start', 'Welcome')).toBeNull();
  expect(screen.queryByRole('button', { name: t('create') })).toBeNull();
});

test('what is wrong with a trigger is not said of another one, and one goes on in the step that was added', async () => {
  const { user } = await drawn([], ['automations.get', 'automations.create'], '/here?create=true');
  const submit = await screen.findByRole('button', { name: t('createSubmit') });
  await user.click(submit);
  const list = screen.getByLabelText(t('list'), { exact: false, selector: 'input' });
  expect(list.getAttribute('aria-invalid')).toBe('true');
  await user.selectOptions(screen.getByLabelText(t('trigger.label')), t('trigger.date'));
  const optional = screen.getByLabelText(t('list'), { selector: 'input' });
  expect(optional.getAttribute('aria-invalid')).not.toBe('true');
  await user.click(screen.getByRole('button', { name: t('addStep') }));
  await user.click(await screen.findByRole('menuitem', { name: t('do.wait') }));
  const amount = screen.getByLabelText(t('amount'), { exact: false });
  await waitFor(() => expect(document.activeElement).toBe(amount));
});

test('without a segment one is made in place and chosen', async () => {
  const ID = '01930000-0000-7000-8000-0000000000c1';
  const segment = { id: ID, title: 'VIPs', where: {}, activity: [], OwnerId: 'owner' };
  const times = { createdAt: new Date(0).toISOString(), updatedAt: new Date(0).toISOString() };
  server.use(
    http.post('*/api/segments/count', () => HttpResponse.json({ count: 3, exact: true })),
    http.post('*/api/segments', () => HttpResponse.json({ ...segment, ...times }, { status: 201 })),
    http.get(`*/api/segments/${ID}`, () => HttpResponse.json({ ...segment, ...times })),
  );
  const created: object[] = [];
  server.use(
    http.post<never, object>('*/api/automations', async ({ request }) => {
      created.push(await request.json());
      return HttpResponse.json(row(1, 'x', {}), { status: 201 });
    }),
  );
  const held = ['automations.get', 'automations.create', 'contactLists.get', 'contactLists.create'];
  const { user } = await drawn([], held, '/here?create=true');
  await screen.findByRole('button', { name: t('createSubmit') });
  await user.selectOptions(screen.getByLabelText(t('trigger.label')), t('trigger.segment'));
  await user.click(
    screen.getByRole('button', { name: i18n.t('contactLists:segments.create'), hidden: true }),
  );
  const dialog = await screen.findByRole('dialog', {
    name: i18n.t('contactLists:segments.create'),
  });
  await user.type(await within(dialog).findByLabelText(/^Title/), 'VIPs{Enter}');
  await waitFor(() =>
    expect(screen.getByLabelText(t('segment'), { exact: false, selector: 'input' })).toHaveProperty(
      'value',
      'VIPs',
    ),
  );
  expect(created).toEqual([]);
});
