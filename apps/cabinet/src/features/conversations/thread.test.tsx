import type { Conversation, ConversationMessage, Sending } from '@heliograph/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, refuse, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { emitSocketEvent } from '../../core/realtime/socket-events.ts';
import { draftKey, readDraft, saveDraft } from '../../core/drafts.ts';
import { joined, withStates, type Thread as Messages } from './thread.api.ts';
import { replyChannels } from './reply-form.tsx';
import { Thread } from './thread.tsx';

const idOf = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const at = (n: number) => `2026-11-20T10:${String(n).padStart(2, '0')}:00.000Z`;
const conversation: Conversation = {
  id: idOf(900),
  address: '+79990000000',
  contact: 'Anna',
  state: 'waiting',
  unread: 1,
  Assignee: null,
  labels: [],
  lastMessage: { id: idOf(2), direction: 'incoming', text: 'Open?', attachment: null },
  type: 'sms',
  sender: 'MIRTEA',
  channels: [
    { type: 'sms', sender: 'MIRTEA' },
    { type: 'viber', sender: 'TEA' },
    { type: 'vk', sender: 'TEA' },
  ],
  optOuts: [],
  OwnerId: 'owner',
  createdAt: at(1),
  lastMessageAt: at(2),
};
const incoming = (n: number, text: string): ConversationMessage => ({
  id: idOf(n),
  sending: null,
  note: null,
  incoming: {
    id: idOf(n),
    type: 'sms',
    from: '+79990000000',
    to: 'MIRTEA',
    payload: { text },
    SendingId: null,
    OwnerId: 'owner',
    createdAt: at(n),
    updatedAt: at(n),
  },
});
const sent = (n: number, text: string, status = 'sent'): ConversationMessage => ({
  id: idOf(n),
  incoming: null,
  note: null,
  sending: {
    id: idOf(n),
    type: 'sms',
    recipient: '+79990000000',
    payload: { sender: 'MIRTEA', text },
    state: {
      status,
      outcome: status === 'sent' ? 'pending' : status,
      error: null,
      code: null,
    },
    createdAt: at(n),
    updatedAt: at(n),
  } as Sending,
});

const TEAM = [
  { id: idOf(801), name: 'Olga Owner' },
  { id: idOf(802), name: 'Boris' },
];

let pages: Record<string, { data: ConversationMessage[]; hasMore: boolean }>;
let reads: unknown[];
/** What the server answers about the conversation. */
let current: Conversation;

beforeEach(() => {
  queryClient.clear();
  current = { ...conversation };
  saveDraft(draftKey('user', `reply.${conversation.id}`), null);
  pages = { '': { data: [incoming(2, 'Open?'), sent(1, 'Hello')], hasMore: false } };
  server.use(
    http.get('*/api/conversations/:id', () => HttpResponse.json(current)),
    http.get('*/api/conversations/:id/messages', ({ request }) =>
      HttpResponse.json(pages[new URL(request.url).searchParams.get('cursor') ?? '']!),
    ),
  );
  server.use(
    http.get('*/api/conversations/:id/assignees', () => HttpResponse.json({ data: TEAM })),
    http.get('*/api/conversations/labels', () => HttpResponse.json({ data: ['Complaint'] })),
  );
  reads = [];
  server.use(
    http.post('*/api/conversations/:id/read', async ({ request }) => {
      reads.push(await request.json());
      return HttpResponse.json(Object.assign(current, { unread: 0 }));
    }),
  );
  accept('post', '/sendings/estimate', {
    amount: 2,
    currency: 'RUB',
    enough: true,
    balanceAfter: 98,
  });
});

test('a message that was stopped is cancelled, and has not failed', async () => {
  const stopped = sent(1, 'Hello', 'failed');
  stopped.sending!.state = {
    ...stopped.sending!.state,
    outcome: 'cancelled',
    code: 'stopped',
  } as Sending['state'];
  pages = { '': { data: [incoming(2, 'Open?'), stopped], hasMore: false } };
  await drawn();
  await screen.findByText('Cancelled');
  expect(screen.queryByText('Failed')).toBeNull();
});

const drawn = async (permissions = {}) => {
  const { user } = await draw(<Thread id={conversation.id} />, {
    namespaces: ['conversations', 'incoming', 'sendings', 'send'],
    settings: {
      permissions: {
        'sendings.generate': 'manager',
        'sendingsIncoming.update': 'manager',
        ...permissions,
      },
    },
  });
  // The first page that a process draws takes longest.
  await screen.findByText('Open?');
  return user;
};
const box = () => screen.findByRole('textbox', { name: i18n.t('conversations:reply.text') });
const send = () =>
  screen.getByRole('button', { name: new RegExp(i18n.t('sendings:resend.submit')) });

test('shows the messages in order with their states, marks them as read, and follows the delivery', async () => {
  await drawn();
  const log = screen.getByRole('log');
  const texts = () =>
    within(log)
      .getAllByRole('listitem')
      .map((item) => item.textContent);
  expect(texts()[0]).toContain('Hello');
  expect(texts()[0]).toContain(i18n.t('common:status.sent'));
  expect(texts()[1]).toContain('Open?');
  await waitFor(() => expect(reads).toEqual([{ messageId: idOf(2) }]));
  emitSocketEvent('sendings.updated', {
    items: [{ ...sent(1, 'Hello', 'delivered').sending!, updatedAt: at(9) }],
  });
  await within(log).findByText(i18n.t('common:status.delivered'));
});

test('is assigned to a user of the account, and shows the former one after a refusal', async () => {
  const user = await drawn();
  const select = () =>
    screen.findByRole('combobox', {
      name: i18n.t('conversations:assignee'),
    }) as Promise<HTMLSelectElement>;
  await within(await select()).findByRole('option', { name: 'Boris' });
  expect((await select()).value).toBe('');
  const bodies: unknown[] = [];
  server.use(
    http.put('*/api/conversations/:id/assignee', async ({ request }) => {
      bodies.push(await request.json());
      Object.assign(current, { Assignee: TEAM[1] });
      return HttpResponse.json(current);
    }),
  );
  await user.selectOptions(await select(), 'Boris');
  await waitFor(async () => expect((await select()).value).toBe(TEAM[1]!.id));
  expect(bodies).toEqual([{ AssigneeId: TEAM[1]!.id }]);
  refuse('put', '/conversations/:id/assignee', { code: 'conflict' }, 409);
  await user.selectOptions(await select(), i18n.t('conversations:noAssignee'));
  await waitFor(async () => expect((await select()).value).toBe(TEAM[1]!.id));
});

test('shows an assignee that is no choice any longer', async () => {
  Object.assign(current, { Assignee: { id: idOf(803), name: 'Suspended Sam' } });
  await drawn();
  const select = (await screen.findByRole('combobox', {
    name: i18n.t('conversations:assignee'),
  })) as HTMLSelectElement;
  expect(select.selectedOptions[0]!.textContent).toBe('Suspended Sam');
});

test('labels are the new ones at once, one after the other, and the former ones after a refusal', async () => {
  const user = await drawn();
  const bodies: { labels: string[] }[] = [];
  const answers: (() => void)[] = [];
  server.use(
    http.put('*/api/conversations/:id/labels', async ({ request }) => {
      const body = (await request.json()) as { labels: string[] };
      bodies.push(body);
      await new Promise<void>((resolve) => answers.push(resolve));
      return HttpResponse.json(Object.assign(current, body));
    }),
  );
  const input = screen.getByRole('combobox', { name: i18n.t('conversations:labels') });
  await user.type(input, 'Angry{Enter}');
  await user.type(input, 'Compl');
  await user.click(await screen.findByRole('option', { name: 'Complaint' }));
  screen.getByText('Angry');
  await waitFor(() => expect(answers).toHaveLength(1));
  answers[0]!();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]!();
  expect(bodies).toEqual([{ labels: ['Angry'] }, { labels: ['Angry', 'Complaint'] }]);
  await waitFor(() => expect(current.labels).toEqual(['Angry', 'Complaint']));
  refuse('put', '/conversations/:id/labels', { code: 'conflict' }, 409);
  await user.type(input, 'Late{Enter}');
  await waitFor(() => expect(screen.queryByText('Late')).toBeNull());
  screen.getByText('Angry');
});

const noted = (n: number, text: string, mayRemove: boolean): ConversationMessage => ({
  id: idOf(n),
  incoming: null,
  sending: null,
  note: { id: idOf(n), text, Author: TEAM[1]!, mayRemove, createdAt: at(n) },
});

test('a note stands in its place, is told from a message, and removed by who may', async () => {
  const data = [noted(4, 'Hers', false), noted(3, 'Mine', true), incoming(2, 'Open?')];
  pages = { '': { data, hasMore: false } };
  const user = await drawn();
  const items = within(screen.getByRole('log')).getAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringContaining('Open?'),
    expect.stringMatching(`${i18n.t('conversations:note.title')}.*Mine`),
    expect.stringContaining('Hers'),
  ]);
  // The note is no message that was seen.
  await waitFor(() => expect(reads).toEqual([{ messageId: idOf(2) }]));
  const name = i18n.t('conversations:note.remove');
  const removed: string[] = [];
  server.use(
    http.delete('*/api/conversations/:id/notes/:noteId', ({ params }) => {
      removed.push(String(params.noteId));
      pages = { '': { data: data.filter(({ id }) => id !== params.noteId), hasMore: false } };
      return HttpResponse.json({ id: params.noteId });
    }),
  );
  expect(screen.getAllByRole('button', { name })).toHaveLength(1);
  await user.click(screen.getByRole('button', { name }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
  await waitFor(() => expect(screen.queryByText('Mine')).toBeNull());
  expect(removed).toEqual([idOf(3)]);
  screen.getByText('Hers');
});

test('a note is written beside the reply, and neither is sent as the other', async () => {
  const user = await drawn();
  const replies = accept('post', '/conversations/:id/replies', {});
  const notes = accept('post', '/conversations/:id/notes', noted(5, 'Call her', true).note!);
  await user.type(await box(), 'Half a reply');
  await user.click(screen.getByRole('radio', { name: i18n.t('conversations:note.title') }));
  const field = await screen.findByRole('textbox', { name: i18n.t('conversations:note.text') });
  await user.type(field, 'Call her');
  await user.click(screen.getByRole('button', { name: i18n.t('conversations:note.add') }));
  await waitFor(() => expect(notes).toEqual([{ text: 'Call her' }]));
  await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(''));
  await user.click(screen.getByRole('radio', { name: i18n.t('conversations:reply.title') }));
  expect(((await box()) as HTMLTextAreaElement).value).toBe('Half a reply');
  expect(replies).toEqual([]);
});

test('loads earlier messages on request', async () => {
  pages = {
    '': { data: [incoming(2, 'Open?')], hasMore: true },
    [idOf(2)]: { data: [incoming(1, 'The first')], hasMore: false },
  };
  const user = await drawn();
  await user.click(screen.getByRole('button', { name: i18n.t('conversations:earlier') }));
  await screen.findByText('The first');
  expect(screen.queryByRole('button', { name: i18n.t('conversations:earlier') })).toBeNull();
});

test('a reply goes by the channel of the person, once for a double press, and empties the draft', async () => {
  const user = await drawn();
  const bodies = accept('post', '/conversations/:id/replies', {
    id: idOf(3),
    recipient: '+79990000000',
    status: 'pending',
    error: null,
  });
  await user.type(await box(), 'Until nine');
  expect(readDraft(draftKey('user', `reply.${conversation.id}`))?.text).toBe('Until nine');
  await user.keyboard('{Control>}{Enter}{Enter}{/Control}');
  await waitFor(() => expect((screen.getByRole('textbox') as HTMLTextAreaElement).value).toBe(''));
  expect(bodies).toEqual([
    { text: 'Until nine', type: 'sms', sender: 'MIRTEA', messageId: idOf(2) },
  ]);
  expect(readDraft(draftKey('user', `reply.${conversation.id}`))?.text).toBeUndefined();
});

test('what is written while a reply is sent is the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const user = await drawn();
  const receipt = { id: idOf(3), recipient: '+79990000000', status: 'pending', error: null };
  const bodies = accept('post', '/conversations/:id/replies', receipt, promise);
  await user.type(await box(), 'Until nine{Control>}{Enter}{/Control}');
  await waitFor(() => expect(bodies).toHaveLength(1));
  await user.clear(await box());
  await user.type(await box(), 'Bye');
  resolve();
  await waitFor(() => expect(send().getAttribute('aria-disabled')).toBeNull());
  expect(((await box()) as HTMLTextAreaElement).value).toBe('Bye');
  expect(readDraft(draftKey('user', `reply.${conversation.id}`))?.text).toBe('Bye');
});

test('a reply that was sent is no draft, also when its conversation was left at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const user = await drawn();
  const receipt = { id: idOf(3), recipient: '+79990000000', status: 'pending', error: null };
  const bodies = accept('post', '/conversations/:id/replies', receipt, promise);
  await user.type(await box(), 'Until nine{Control>}{Enter}{/Control}');
  await waitFor(() => expect(bodies).toHaveLength(1));
  cleanup();
  resolve();
  await waitFor(() =>
    expect(readDraft(draftKey('user', `reply.${conversation.id}`))?.text).toBeUndefined(),
  );
});

test('a repeated reply is the same call, although another message has come meanwhile', async () => {
  const user = await drawn();
  const calls: [key: string | null, body: unknown][] = [];
  server.use(
    http.post('*/api/conversations/:id/replies', async ({ request }) => {
      calls.push([request.headers.get('idempotency-key'), await request.json()]);
      return HttpResponse.error();
    }),
  );
  await user.type(await box(), 'Until nine');
  await user.click(send());
  await screen.findByText(i18n.t('errors:offline'));
  pages = { '': { data: [incoming(3, 'Hello?'), incoming(2, 'Open?')], hasMore: false } };
  emitSocketEvent('conversations.updated', { items: [conversation] });
  await screen.findByText('Hello?');
  await user.click(send());
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[1]).toEqual(calls[0]);
});

test('a bulk that is reported often has the thread fetched once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let fetched = 0;
  await drawn();
  server.use(
    http.get('*/api/conversations/:id/messages', async () => {
      fetched += 1;
      await promise;
      return HttpResponse.json({ data: [incoming(3, 'Hello?')], hasMore: false });
    }),
  );
  const report = () => emitSocketEvent('sendings.updated', { groupId: 'g', count: 9 });
  report();
  await waitFor(() => expect(fetched).toBe(1));
  // The interval between two fetches does not end while a busy machine draws the first.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  report();
  vi.useRealTimers();
  resolve();
  await screen.findByText('Hello?');
  expect(fetched).toBe(1);
});

test('shows on the form why a reply was refused, and keeps its text', async () => {
  const user = await drawn();
  accept('post', '/conversations/:id/replies', {
    id: idOf(3),
    recipient: '+79990000000',
    status: 'failed',
    error: 'no',
    code: 'unsubscribed',
  });
  await user.type(await box(), 'Hello');
  await user.click(send());
  expect((await screen.findByRole('alert')).textContent).toBe(
    i18n.t('sendings:error.unsubscribed'),
  );
  expect(((await box()) as HTMLTextAreaElement).value).toBe('Hello');
  refuse('post', '/conversations/:id/replies', {
    errors: [{ property: 'text', constraints: { too_long: 'long' } }],
  });
  await user.click(send());
  await waitFor(async () => expect((await box()).getAttribute('aria-invalid')).toBe('true'));
});

test('a saved answer is written at the cursor for the person, and what has no value is seen', async () => {
  const template = { id: idOf(700), title: 'Opening hours', type: 'sms', isActive: true };
  const text = 'Dear {firstName}, {custom01|open} till {closing}.';
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/templates', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      const rows = [
        { ...template, moderation: 'approved', payload: { text } },
        { ...template, id: idOf(701), title: 'A picture', moderation: 'approved', payload: {} },
      ];
      return HttpResponse.json({ data: rows, total: 2, offset: 0, limit: 10 });
    }),
    http.get('*/api/templates/:id', () => HttpResponse.json({ ...template, payload: { text } })),
    http.get('*/api/contacts', () =>
      HttpResponse.json({
        data: [{ id: idOf(600), firstName: 'Anna', phone: conversation.address, tags: [] }],
        total: 1,
        offset: 0,
        limit: 50,
      }),
    ),
  );
  const user = await drawn({ 'templates.get': 'manager', 'contacts.get': 'manager' });
  const field = (await box()) as HTMLTextAreaElement;
  await user.type(field, 'Good day!  Bye.');
  field.setSelectionRange(10, 10);
  const saved = screen.getByRole('combobox', { name: i18n.t('conversations:reply.saved') });
  await user.click(saved);
  const options = await screen.findAllByRole('option', { name: /Opening|picture/ });
  expect(options.map((option) => option.textContent)).toEqual(['Opening hours']);
  const query = [...asked[0]!];
  expect(query.filter(([name]) => name.startsWith('type')).map(([, type]) => type)).toEqual([
    'sms',
  ]);
  expect(Object.fromEntries(query)).toMatchObject({ isActive: 'true', OwnerId: 'owner' });
  await user.keyboard('{ArrowDown}{Enter}');
  const written = 'Good day! Dear Anna, open till {closing}. Bye.';
  await waitFor(() => expect(field.value).toBe(written));
  expect(readDraft(draftKey('user', `reply.${conversation.id}`))?.text).toBe(written);
  screen.getByText(i18n.t('conversations:reply.unfilled', { names: '{closing}' }));
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.selectionStart).toBe(written.indexOf(' Bye'));
});

test('saved answers are for those who may read templates', async () => {
  await drawn();
  await box();
  expect(screen.queryByRole('combobox', { name: i18n.t('conversations:reply.saved') })).toBeNull();
});

test('a draft is there again', async () => {
  saveDraft(draftKey('user', `reply.${conversation.id}`), 'Half a sen');
  await drawn();
  expect(((await box()) as HTMLTextAreaElement).value).toBe('Half a sen');
});

test('an erased conversation says so', async () => {
  server.use(
    http.get('*/api/conversations/:id', () =>
      HttpResponse.json(
        { name: 'AppError', code: 'not_found', message: 'Gone.', status: 404 },
        { status: 404 },
      ),
    ),
  );
  await draw(<Thread id={conversation.id} />, { namespaces: ['conversations'] });
  await screen.findByText(i18n.t('conversations:gone.title'));
  expect(screen.queryByRole('log')).toBeNull();
});

test('offers the channels that the account has; of another account all of them', () => {
  const types = ['sms', 'viber'] as const;
  const own = replyChannels(conversation, { OwnerId: 'owner', types });
  expect(own.map(({ type }) => type)).toEqual(['sms', 'viber']);
  expect(replyChannels(conversation, { OwnerId: 'other', types })).toHaveLength(3);
});

test('leaves a thread alone that has none of the changed messages', () => {
  const thread = pages['']!;
  expect(withStates(thread, [sent(7, 'Other').sending!])).toBe(thread);
  const older = { ...sent(1, 'Hello', 'pending').sending!, updatedAt: at(0) };
  expect(withStates(thread, [older]).data[1]!.sending!.state.status).toBe('sent');
});

test('joins the newest page with what was loaded, unless messages between them are missing', () => {
  const of = (...ids: number[]) => ({ data: ids.map((n) => sent(n, 'x')), hasMore: true });
  const idsOf = (thread: Messages) => thread.data.map((m) => Number(m.id.slice(-3)));
  const old = { ...of(5, 4, 3, 2), hasMore: false };
  expect(joined(undefined, of(5))).toEqual(of(5));
  expect(idsOf(joined(old, of(6, 5, 4)))).toEqual([6, 5, 4, 3, 2]);
  expect(joined(old, of(6, 5, 4)).hasMore).toBe(false);
  expect(joined(old, of(9, 8)).hasMore).toBe(true);
  expect(idsOf(joined(old, of(9, 8)))).toEqual([9, 8]);
});

test('a page that was on its way when the socket brought a newer state does not undo it', () => {
  const page = { data: [sent(2, 'New'), sent(1, 'Hello')], hasMore: false };
  const delivered = { ...sent(1, 'Hello', 'delivered').sending!, updatedAt: at(9) };
  const old = withStates({ data: [sent(1, 'Hello')], hasMore: false }, [delivered]);
  expect(joined(old, page).data.map(({ sending }) => sending!.state.status)).toEqual([
    'sent',
    'delivered',
  ]);
});
