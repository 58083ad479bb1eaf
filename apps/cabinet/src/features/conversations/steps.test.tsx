import type { Conversation } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { useKeyListener } from '../../core/keys/keys.ts';
import { queryClient } from '../../core/query.ts';
import { ConversationsPage } from './conversations-page.tsx';

// Not in the simulated document.
Element.prototype.checkVisibility ??= () => true;

const idOf = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const at = '2026-11-20T10:00:00.000Z';
const rowOf = (n: number): Conversation => ({
  id: idOf(n),
  address: `+7999000${String(n).padStart(4, '0')}`,
  contact: `Person ${n}`,
  state: 'waiting',
  unread: 0,
  Assignee: null,
  labels: [],
  lastMessage: { id: idOf(n), direction: 'incoming', text: 'Open?', attachment: null },
  type: 'sms',
  sender: 'MIRTEA',
  channels: [{ type: 'sms', sender: 'MIRTEA' }],
  optOuts: [],
  OwnerId: 'owner',
  createdAt: at,
  lastMessageAt: at,
});

/** Those that the list has, in its order. */
let rows: Conversation[];

beforeEach(() => {
  // A wide window has the list beside the conversation.
  const narrow = matchMedia('');
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...narrow, matches: true });
  queryClient.clear();
  rows = Array.from({ length: 17 }, (_, i) => rowOf(i + 1));
  server.use(
    http.get('*/api/conversations', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const [offset, limit] = [Number(query.get('$offset')), Number(query.get('$limit'))];
      const data = rows.slice(offset, offset + limit);
      return HttpResponse.json({ data, total: rows.length, offset, limit, totalIsCapped: false });
    }),
    http.get('*/api/conversations/labels', () => HttpResponse.json({ data: ['VIP'] })),
    http.get('*/api/conversations/:id', ({ params }) =>
      HttpResponse.json(rowOf(Number(String(params.id).slice(-4)))),
    ),
    http.get('*/api/conversations/:id/messages', () =>
      HttpResponse.json({ data: [], hasMore: false }),
    ),
    http.post('*/api/sendings/estimate', () =>
      HttpResponse.json({ amount: 2, currency: 'RUB', enough: true, balanceAfter: 98 }),
    ),
  );
});

function Page() {
  useKeyListener();
  return <ConversationsPage />;
}

/** The ids of the rows that the list shows. */
const listed = () =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row);

const drawn = async (n: number, query = '') => {
  const { user, router } = await draw(<Page />, {
    namespaces: ['conversations', 'incoming', 'sendings', 'send', 'list'],
    settings: { permissions: { 'sendings.generate': 'manager' } },
    path: '/conversations',
    at: `/conversations?id=${idOf(n)}${query}`,
  });
  // The first page that a process draws takes longest.
  await screen.findByRole('heading', { name: `Person ${n}` });
  await waitFor(() => expect(listed()).toContain(idOf(n)));
  return { user, query: () => new URLSearchParams(router.state.location.search) };
};
const opened = (n: number) => screen.findByRole('heading', { name: `Person ${n}` });
const box = () => screen.findByRole('textbox', { name: i18n.t('conversations:reply.text') });

test('keys lead along the list while a reply is written, and the next one is written at once', async () => {
  const { user, query } = await drawn(1, '&f.state=waiting');
  await user.type(await box(), 'Half a sen');
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await opened(2);
  const next = await box();
  await waitFor(() => expect(document.activeElement).toBe(next));
  expect((next as HTMLTextAreaElement).value).toBe('');
  expect(query().get('f.state')).toBe('waiting');
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await opened(1);
  expect(((await box()) as HTMLTextAreaElement).value).toBe('Half a sen');
});

test('the end of a page leads to the next one and back, and the ends of the list say so', async () => {
  const { user, query } = await drawn(16);
  const button = (name: string) => screen.getByRole('button', { name });
  const next = () => button(i18n.t('conversations:step.next'));
  await user.click(next());
  await opened(17);
  expect(query().get('page')).toBe('2');
  expect(screen.queryByText(i18n.t('conversations:step.last'))).toBeNull();
  await user.click(next());
  await screen.findByText(i18n.t('conversations:step.last'));
  // Where it was pressed, so that it can be pressed on.
  expect(document.activeElement).toBe(next());
  await user.click(button(i18n.t('conversations:step.previous')));
  await opened(16);
  expect(query().get('page')).toBeNull();
  expect(screen.queryByText(i18n.t('conversations:step.last'))).toBeNull();
});

test('one that has left the list leaves its place to the next', async () => {
  const { user } = await drawn(2, '&f.state=waiting');
  rows = rows.filter(({ id }) => id !== idOf(2));
  await queryClient.invalidateQueries();
  await waitFor(() => expect(listed()).not.toContain(idOf(2)));
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await opened(3);
});

test('a choice keeps its arrows', async () => {
  const { user } = await drawn(1);
  const channel = await screen.findByRole('combobox', {
    name: i18n.t('conversations:reply.channel'),
  });
  channel.focus();
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await opened(1);
  expect(screen.queryByRole('heading', { name: 'Person 2' })).toBeNull();
});
