import { conversations } from '@heliograph/contract';
import { MESSAGE, PHONE, type Scene } from '../scene.ts';
import { administered, byId, creating, listing, type SamplesOf } from './sample.ts';

async function idOf(row: Promise<{ id: string }>): Promise<string> {
  return (await row).id;
}

async function conversation(s: Scene): Promise<string> {
  await s.incoming();
  return (await s.owner.api(conversations.find)).data[0]!.id;
}

export const MESSAGES: SamplesOf<
  | 'conversations'
  | 'links'
  | 'sendernames'
  | 'sendings'
  | 'sendingsIncoming'
  | 'tasks'
  | 'templates'
> = {
  conversations: {
    find: (s) => listing('conversations', conversation(s)),
    get: (s) => byId('conversations', conversation(s)),
    messages: (s) => byId('conversations', conversation(s)),
    reply: (s) =>
      byId('conversations', conversation(s), {
        body: { text: 'Yes', type: 'viber' as const },
      }),
    note: (s) => byId('conversations', conversation(s), { body: { text: 'Call her back' } }),
    removeNote: async (s) => {
      const id = await conversation(s);
      const { id: noteId } = await s.owner.api(conversations.note, {
        params: { id },
        body: { text: 'Call her back' },
      });
      const call = { params: { id, noteId } };
      return { call, row: ['conversation_notes', noteId], others: 'nothing' };
    },
    read: (s) => byId('conversations', conversation(s), { body: {} }),
    readAll: async (s) => ({
      call: {},
      row: ['conversations', await conversation(s)],
      others: 'own',
    }),
    labels: async (s) => ({
      call: { query: { OwnerId: s.owner.id } },
      row: ['conversations', await conversation(s)],
      others: 'nothing',
    }),
    label: (s) => byId('conversations', conversation(s), { body: { labels: ['Complaint'] } }),
    assignees: (s) => byId('conversations', conversation(s)),
    assign: (s) => byId('conversations', conversation(s), { body: { AssigneeId: s.owner.id } }),
    close: (s) => byId('conversations', conversation(s)),
    reopen: async (s) => {
      const id = await conversation(s);
      await s.owner.api(conversations.close, { params: { id } });
      return byId('conversations', Promise.resolve(id));
    },
  },
  links: {
    find: (s) => listing('links', s.link()),
    get: (s) => byId('links', s.link()),
    create: async (s) => creating(s, { body: { url: 'https://tea.example/sale' } }),
    remove: (s) => byId('links', s.link()),
  },
  sendernames: {
    find: (s) => listing('sendernames', s.sendername()),
    get: (s) => byId('sendernames', s.sendername()),
    create: async (s) =>
      creating(s, {
        body: { name: 'TEAHOUSE', type: 'sms', comment: 'Tea House LLC, INN 7700000009' },
      }),
    update: (s) => byId('sendernames', s.sendername(), { body: { isActive: false } }),
    remove: (s) => byId('sendernames', s.sendername()),
    moderate: async (s) => ({
      ...(await byId('sendernames', s.sendername(), { body: { moderation: 'approved' as const } })),
      by: s.reseller,
    }),
    channels: (s) => administered(s, byId('sendernames', s.sendername())),
  },
  sendings: {
    find: (s) => listing('sendings', s.sending()),
    estimate: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      const body = { ...MESSAGE, recipient: { include: [ListId] } };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
    get: (s) => byId('sendings', s.sending()),
    create: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      const body = { ...MESSAGE, recipient: { include: [ListId] } };
      return { call: { body }, row: ['balances', s.owner.id, 'owner_id'], others: 'nothing' };
    },
    cancel: (s) => byId('sendings', s.laterSending()),
    each: async (s) => {
      const templateId = await s.template();
      const { payload } = MESSAGE;
      const body = { templateId, payload, recipients: [{ to: PHONE }] };
      return { call: { body }, row: ['templates', templateId], others: 'nothing' };
    },
  },
  sendingsIncoming: {
    find: (s) => listing('sendings_incoming', s.incoming()),
    get: (s) => byId('sendings_incoming', s.incoming()),
    create: async (s) =>
      creating(s, { body: { type: 'sms', from: PHONE, to: 'TEA', payload: { text: 'Yes' } } }),
  },
  tasks: {
    find: (s) => listing('tasks', idOf(s.task())),
    get: (s) => byId('tasks', idOf(s.task())),
    errors: (s) => byId('tasks', idOf(s.task())),
    outcome: (s) => byId('tasks', idOf(s.task())),
    unsent: (s) => byId('tasks', idOf(s.task())),
    update: (s) => byId('tasks', idOf(s.task()), { body: { state: 'stopped' as const } }),
    cancel: (s) => byId('tasks', idOf(s.task())),
    remove: (s) => byId('tasks', idOf(s.task())),
  },
  templates: {
    find: (s) => listing('templates', s.template()),
    get: (s) => byId('templates', s.template()),
    create: async (s) => creating(s, { body: { title: 'Sale', ...MESSAGE } }),
    update: (s) => byId('templates', s.template(), { body: { title: 'Renamed' } }),
    remove: (s) => byId('templates', s.template()),
    apply: (s) => byId('templates', s.template()),
    versions: (s) => byId('templates', s.template()),
    moderate: async (s) => ({
      ...(await byId('templates', s.template(), { body: { moderation: 'approved' as const } })),
      by: s.reseller,
    }),
  },
};
