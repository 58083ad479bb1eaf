import { contactLists, webhooks, type ContactList, type Webhook } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import type { OptionSource } from '../../ui/async-options.ts';

/** The webhooks of an account to which a rule can give messages. */
export const webhookSource = (OwnerId: string): OptionSource<Webhook> => ({
  noun: 'webhooks',
  params: ['inboundRules', OwnerId],
  find: ({ limit, search }, signal) =>
    api(webhooks.find, {
      query: {
        limit,
        search,
        order: [{ field: 'title', direction: 'asc' }],
        filter: { OwnerId, event: ['inboundRules.matched'], state: ['active', 'paused'] },
      },
      signal,
    }),
  get: (id, signal) => api(webhooks.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});

export const listSource = (OwnerId: string): OptionSource<ContactList> => ({
  noun: 'contactLists',
  params: ['inboundRules', OwnerId],
  find: ({ limit, search }, signal) =>
    api(contactLists.find, {
      query: { limit, search, order: [{ field: 'title', direction: 'asc' }], filter: { OwnerId } },
      signal,
    }),
  get: (id, signal) => api(contactLists.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});
