import type { Sending } from '@heliograph/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { SendingDrawer } from './sending-drawer.tsx';
import { SendingTimeline } from './sending-timeline.tsx';

const idOf = (n: number) => `01930000-0000-7000-8000-00000000020${n}`;
const sending = (n: number) =>
  ({
    id: idOf(n),
    OwnerId: 'owner',
    type: 'sms',
    recipient: `+7999000000${n}`,
    payload: { sender: 'ANNA', text: `Text ${n}` },
    state: { status: 'delivered', outcome: 'delivered', error: null, code: null },
    meta: { stats: { segments: 1, characters: 6, encoding: 'ascii' }, billing: null },
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
  }) as unknown as Sending;

test('the dialog that sends a message again does not stay for another message', async () => {
  accept('post', '/sendings/estimate', { amount: 2, currency: 'RUB', enough: true });
  server.use(
    http.get('*/api/sendings/:id', ({ params }) =>
      HttpResponse.json(sending(Number(String(params.id).at(-1)))),
    ),
  );
  const { router, user } = await draw(<SendingDrawer ids={[]} />, {
    namespaces: ['sendings', 'sendernames', 'send'],
    settings: { permissions: { 'sendings.generate': 'manager' } },
  });
  const go = (n: number) => act(() => router.navigate(`/here?id=${idOf(n)}`));
  const titleOf = (n: number) =>
    i18n.t('sendings:resend.title', { recipient: sending(n).recipient });
  await go(1);
  const again = { name: i18n.t('sendings:resend.again') };
  await user.click(await screen.findByRole('button', again));
  await screen.findByRole('dialog', { name: titleOf(1) });
  await go(2);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: titleOf(1) })).toBeNull());
  expect(screen.queryByRole('dialog', { name: titleOf(2) })).toBeNull();
  await user.click(await screen.findByRole('button', again));
  await screen.findByRole('dialog', { name: titleOf(2) });
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: i18n.t('sendings:text') });
  expect(text.value).toBe('Text 2');
});

test.each([
  [['purchasePrices.get', 'channels.get'], true],
  [['purchasePrices.get'], false],
  [['channels.get'], false],
])('who has %j is led to what the channel of a message takes: %s', async (names, isLed) => {
  const sent = (n: number, attempt: number, channel: string) => ({
    id: idOf(n),
    type: 'sms',
    attempt,
    event: 'sent',
    at: `2026-11-20T10:00:0${attempt}.000Z`,
    detail: null,
    code: null,
    amount: null,
    way: { channel, route: null },
  });
  // The second attempt of three.
  const timeline = [sent(4, 0, 'viber'), sent(5, 1, 'smsc'), sent(6, 2, 'voice')];
  const one = { ...sending(5), timeline };
  server.use(http.get('*/api/sendings/:id', () => HttpResponse.json(one)));
  const { router } = await draw(<SendingDrawer ids={[]} />, {
    namespaces: ['sendings', 'sendernames', 'send'],
    settings: { permissions: Object.fromEntries(names.map((name) => [name, 'manager'])) },
  });
  await act(() => router.navigate(`/here?id=${idOf(5)}`));
  await screen.findByText('Text 5');
  const links = screen.queryAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links.filter((to) => to?.startsWith('/channels'))).toEqual(
    isLed ? ['/channels?id=smsc'] : [],
  );
});

test.each([
  ['sms', { multiplier: 4 }, '300 characters, 4 parts', true],
  ['viber', { multiplier: 1 }, '300 characters', false],
  ['voice', { multiplier: 22 }, '22 sec, by its text or recording', false],
  ['voice', { multiplier: 60, call: { seconds: null } }, '60 sec, by its text or recording', false],
  ['voice', { multiplier: 60, call: { seconds: 7 } }, '7 sec', false],
] as const)('of %s with %o the length is %s', async (type, billing, length, hasAlphabet) => {
  const one = {
    ...sending(4),
    type,
    live: true,
    meta: {
      stats: { segments: 4, characters: 300, encoding: 'unicode' },
      billing: { id: idOf(4), amount: -3.5, refunded: false, ...billing },
    },
  };
  server.use(http.get('*/api/sendings/:id', () => HttpResponse.json(one)));
  const { router } = await draw(<SendingDrawer ids={[]} />, {
    namespaces: ['sendings', 'sendernames', 'send'],
  });
  await act(() => router.navigate(`/here?id=${idOf(4)}`));
  await screen.findByText(length);
  expect(!!screen.queryByText(i18n.t('sendings:alphabet.unicode'))).toBe(hasAlphabet);
});

const waiting = {
  ...sending(3),
  state: { status: 'pending', outcome: 'pending', error: null, code: null },
  groupId: null,
  cancellable: true,
  live: true,
  meta: { ...sending(3).meta, billing: { id: idOf(3), amount: -3.5, refunded: false } },
  dueAt: '2126-11-20T10:00:00.000Z',
} as unknown as Sending;
const cancelled = {
  ...waiting,
  state: { status: 'failed', outcome: 'cancelled', error: null, code: 'stopped' },
  cancellable: false,
  dueAt: null,
} as Sending;
const action = () => ({ name: i18n.t('sendings:cancel.action') });

async function drawn(shown: () => Sending, permissions: object) {
  server.use(http.get('*/api/sendings/:id', () => HttpResponse.json(shown())));
  const page = await draw(<SendingDrawer ids={[]} />, {
    namespaces: ['sendings', 'sendernames', 'send'],
    settings: { permissions },
  });
  await act(() => page.router.navigate(`/here?id=${idOf(3)}`));
  await screen.findByText('Text 3');
  return page.user;
}

test('a message that waits is cancelled after a question that says what returns to the balance', async () => {
  let shown = waiting;
  const calls: string[] = [];
  const user = await drawn(() => shown, { 'sendings.generate': 'me' });
  server.use(
    http.post('*/api/sendings/:id/cancel', ({ params }) => {
      calls.push(String(params.id));
      shown = cancelled;
      return HttpResponse.json(shown);
    }),
  );
  await user.click(screen.getByRole('button', action()));
  const question = await screen.findByRole('dialog', {
    name: i18n.t('sendings:cancel.question', { recipient: waiting.recipient }),
  });
  expect(question.textContent).toContain('3.5');
  expect(calls).toEqual([]);
  await user.click(within(question).getByRole('button', action()));
  await screen.findByText(i18n.t('sendings:cancel.done'));
  expect(calls).toEqual([waiting.id]);
  expect(screen.queryByRole('button', action())).toBeNull();
});

test.each([
  ['without the permission', waiting, { 'sendings.get': 'me' }],
  [
    'that waits, and cannot be cancelled,',
    { ...waiting, cancellable: false },
    { 'sendings.generate': 'me' },
  ],
])('a message %s is not cancelled', async (_, shown, permissions) => {
  await drawn(() => shown, permissions);
  expect(screen.queryByRole('button', action())).toBeNull();
});

test('the timeline names the package that covers a message', async () => {
  const charged = {
    id: idOf(1),
    attempt: 0,
    type: 'sms' as const,
    event: 'charged' as const,
    at: '2026-11-20T10:00:00.000Z',
    detail: null,
    code: null,
    amount: 0,
    package: 'Two thousand',
  };
  await draw(<SendingTimeline timeline={[charged]} />, { namespaces: ['sendings'] });
  await screen.findByText(i18n.t('common:fromPackage', { title: 'Two thousand' }));
  expect(document.body.textContent).not.toMatch(/0[.,]00/);
});

test.each([
  [1.5, 'settled'],
  [0, 'settledWhole'],
] as const)('the timeline says of a call whether %d was given back', async (amount, title) => {
  const event = {
    id: idOf(1),
    attempt: 0,
    type: 'voice' as const,
    event: 'settled' as const,
    at: '2026-11-20T10:00:00.000Z',
    detail: null,
    code: null,
    amount,
    seconds: 17,
  };
  await draw(<SendingTimeline timeline={[event]} />, { namespaces: ['sendings'] });
  await screen.findByText(
    i18n.t(`sendings:timeline.${title}`, { type: i18n.t('common:type.voice') }),
  );
  expect(document.body.textContent).not.toMatch(/0[.,]00/);
});
