import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { PersonLink } from '../../ui/person-link.tsx';
import { PersonPage } from './person-page.tsx';

const PHONE = '+79161234567';
const permissions = Object.fromEntries(
  [
    'contacts.get',
    'contactLists.get',
    'sendings.get',
    'sendingsIncoming.get',
    'sendings.generate',
    'suppressions.get',
    'tasks.get',
  ].map((name) => [name, 'manager']),
);
const session = { UserId: 'user', OwnerId: 'owner', level: 'me' };
const options = {
  namespaces: ['persons', 'contactLists', 'sendings', 'suppressions'],
  settings: { permissions, session },
};

const EMPTY = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`custom${String(i + 1).padStart(2, '0')}`, null]),
);
const contact = (id: string, over: object) => ({
  ...EMPTY,
  id,
  ListId: `list-${id}`,
  phone: PHONE,
  email: null,
  firstName: null,
  middleName: null,
  lastName: null,
  gender: null,
  date: null,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
  ...over,
});
const sending = (id: string, createdAt: string, text: string) => ({
  id,
  type: 'sms',
  recipient: PHONE,
  payload: { sender: 'MIRTEA', text },
  state: { status: 'delivered', outcome: 'delivered' },
  groupId: id === 'two' ? 'task' : null,
  createdAt,
});

/** What the lists answer, and what they were asked for. */
function answered(rows: Record<string, object[]>): URL[] {
  const asked: URL[] = [];
  const list = (name: string) =>
    http.get(`*/api/${name}`, ({ request }) => {
      const url = new URL(request.url);
      asked.push(url);
      const [, outcome] = [...url.searchParams].find(([key]) => key.startsWith('outcome')) ?? [];
      const data = outcome ? [] : (rows[name] ?? []);
      const total = outcome ? { delivered: 9, failed: 3 }[outcome] : data.length;
      return HttpResponse.json({ data, total, limit: 30, offset: 0 });
    });
  server.use(
    ...['contacts', 'sendings', 'sendingsIncoming', 'suppressions'].map(list),
    http.get('*/api/contactLists/:id', ({ params }) =>
      HttpResponse.json({ id: params.id, title: `Title of ${params.id}`, type: 'regular' }),
    ),
  );
  return asked;
}

const open = (at: string) =>
  draw(<PersonPage />, { ...options, path: '/contacts/person/:address', at });

test('a person has the fields of all lists, an opt-out, and messages in both directions in order', async () => {
  const asked = answered({
    contacts: [
      contact('a', { firstName: 'Anna', lastName: 'Reed', custom01: 'Omsk' }),
      contact('b', { firstName: 'Ann', email: 'anna@tea.example' }),
    ],
    sendings: [
      sending('two', '2026-01-03T10:00:00.000Z', 'The second'),
      sending('one', '2026-01-01T10:00:00.000Z', 'The first'),
    ],
    sendingsIncoming: [
      {
        id: 'reply',
        type: 'sms',
        from: PHONE,
        to: 'MIRTEA',
        payload: { text: 'What time?' },
        createdAt: '2026-01-02T10:00:00.000Z',
      },
    ],
    suppressions: [
      {
        id: 's',
        address: PHONE,
        type: 'sms',
        reason: 'stop',
        note: 'STOP',
        createdAt: '2026-01-04T10:00:00.000Z',
      },
      {
        id: 'n',
        address: `${PHONE}8`,
        type: null,
        reason: 'link',
        note: null,
        createdAt: '2026-01-04T10:00:00.000Z',
      },
    ],
  });
  await open(`/contacts/person/${encodeURIComponent(PHONE)}`);
  await screen.findByText('Anna Reed');
  for (const text of ['Omsk', 'anna@tea.example', 'STOP']) await screen.findByText(text);
  await screen.findByText(i18n.t('persons:reached', { delivered: '9', total: '12', count: 12 }));
  expect(screen.queryByText(new RegExp(i18n.t('suppressions:reason.link')))).toBeNull();
  expect((await screen.findByText('Title of list-a')).getAttribute('href')).toBe(
    `/contacts/list-a?$search=${encodeURIComponent(PHONE)}`,
  );
  const history = within(await screen.findByRole('region', { name: i18n.t('persons:history') }));
  await history.findByText('The first');
  const rows = history.getAllByRole('listitem').map((row) => row.dataset.row);
  expect(rows).toEqual(['two', 'reply', 'one']);
  const links = history.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual([
    '/messages/outgoing?id=two',
    '/messages/tasks/task',
    '/messages/incoming?id=reply',
    '/messages/outgoing?id=one',
  ]);
  // Of the account alone, and of this address.
  for (const { searchParams } of asked) expect(searchParams.get('OwnerId')).toBe('owner');
  const recipients = asked.flatMap(({ searchParams }) => searchParams.get('recipient') ?? []);
  expect(new Set(recipients)).toEqual(new Set([PHONE]));
  const write = screen.getByRole('link', { name: i18n.t('persons:write') });
  expect(write.getAttribute('href')).toBe(`/send?recipient=${encodeURIComponent(PHONE)}`);
});

test('of somebody unknown it says so; the account is that of the link', async () => {
  const asked = answered({});
  await open('/contacts/person/nobody@tea.example?owner=another');
  await screen.findByText(i18n.t('persons:noLists'));
  await screen.findByText(i18n.t('persons:noHistory'));
  await screen.findByText(i18n.t('persons:noOptOut'));
  const of = asked.find(({ pathname }) => pathname.endsWith('/contacts'))!.searchParams;
  expect([of.get('email'), of.get('OwnerId')]).toEqual(['nobody@tea.example', 'another']);
  expect(screen.queryByRole('link', { name: i18n.t('persons:write') })).toBeNull();
});

test('an address leads to its person, what is no address to nobody', async () => {
  await draw(
    <>
      <PersonLink address={PHONE}>own</PersonLink>
      <PersonLink address={PHONE} OwnerId="another">
        other
      </PersonLink>
      <PersonLink address="erased-0123456789abcdef">gone</PersonLink>
    </>,
    options,
  );
  const to = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href');
  const path = `/contacts/person/${encodeURIComponent(PHONE)}`;
  expect([to('own'), to('other'), to('gone')]).toEqual([path, `${path}?owner=another`, undefined]);
});
