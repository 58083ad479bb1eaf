import { signupForms } from '@heliograph/contract';
import { PHONE, type Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const signup = async (s: Scene) => ({
  title: 'Tea club',
  ListId: await s.list(),
  type: 'email' as const,
  sender: 'tea@example.com',
  text: 'Confirm: {link}',
  consent: 'I agree to get news of the tea house.',
});
const form = async (s: Scene) =>
  (await s.owner.api(signupForms.create, { body: await signup(s) })).id;

export const CONTACTS: SamplesOf<
  'contactFields' | 'contactLists' | 'segments' | 'signupForms' | 'contacts' | 'persons'
> = {
  signupForms: {
    find: (s) => listing('signup_forms', form(s)),
    get: (s) => byId('signup_forms', form(s)),
    create: async (s) => {
      const body = await signup(s);
      return { call: { body }, row: ['contact_lists', body.ListId], others: 'nothing' };
    },
    update: (s) => byId('signup_forms', form(s), { body: { title: 'Renamed' } }),
    remove: (s) => byId('signup_forms', form(s)),
    consents: async (s) => byId('contacts', s.contact(await s.list())),
  },
  contactFields: {
    get: async (s) => creating(s, { query: {} }),
    update: async (s) => creating(s, { body: { fields: [{ field: 'custom01', title: 'City' }] } }),
    check: async (s) =>
      creating(s, { body: { field: 'custom01' as const, type: 'number' as const } }),
  },
  contactLists: {
    find: (s) => listing('contact_lists', s.list()),
    get: (s) => byId('contact_lists', s.list()),
    create: async (s) => creating(s, { body: { title: 'Coffee lovers', type: 'regular' } }),
    update: (s) => byId('contact_lists', s.list(), { body: { title: 'Renamed' } }),
    remove: (s) => byId('contact_lists', s.list()),
  },
  segments: {
    find: (s) => listing('segments', s.segment()),
    get: (s) => byId('segments', s.segment()),
    create: async (s) =>
      creating(s, {
        body: {
          title: 'Silent regulars',
          where: { tag: 'regular' },
          activity: [{ event: 'replied' as const, happened: false, days: 90 }],
        },
      }),
    update: (s) => byId('segments', s.segment(), { body: { title: 'Renamed' } }),
    remove: (s) => byId('segments', s.segment()),
    count: (s) => byId('segments', s.segment()),
    preview: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      const body = { where: { ListId } };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
  },
  contacts: {
    find: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      return {
        call: { query: { filter: { ListId } } },
        row: ['contact_lists', ListId],
        others: 'own',
      };
    },
    get: async (s) => byId('contacts', s.contact(await s.list())),
    create: async (s) => {
      const ListId = await s.list();
      const body = { ListId, phone: PHONE };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
    update: async (s) =>
      byId('contacts', s.contact(await s.list()), { body: { firstName: 'Anna' } }),
    remove: async (s) => byId('contacts', s.contact(await s.list())),
    removeMany: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      const body = { where: { ListId } };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
    tag: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      const body = { where: { ListId }, add: ['vip'] };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
    move: async (s) => {
      const ListId = await s.list();
      await s.contact(ListId);
      const body = { where: { ListId }, to: await s.list() };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
    preview: async (s) => {
      const key = await s.file();
      return { call: { body: { from: { key } } }, row: ['files', key], others: 'nothing' };
    },
    recipients: async (s) => {
      const key = await s.file();
      return { call: { body: { from: { key } } }, row: ['files', key], others: 'nothing' };
    },
    import: async (s) => {
      const ListId = await s.list();
      const body = { ListId, from: { key: await s.file() } };
      return { call: { body }, row: ['contact_lists', ListId], others: 'nothing' };
    },
  },
  persons: {
    erase: async (s) => creating(s, { body: { address: '+79020000999' } }),
  },
};
