import * as z from 'zod';
import { Id, QueryBoolean, Time, Title, many } from './fields.ts';
import { crud, listQuery } from './list.ts';

export const ContactListType = z.enum(['regular', 'blacklist']);
export const ContactList = z.object({
  id: Id,
  title: Title,
  type: ContactListType,
  isActive: z.boolean(),
  count: z.int(),
  OwnerId: Id,
  createdAt: Time,
  updatedAt: Time,
});
export type ContactList = z.infer<typeof ContactList>;
export const ContactListInput = z.strictObject({
  title: Title,
  type: ContactListType,
  isActive: z.boolean().default(true),
});

export const contactLists = crud('contactLists', {
  quota: 'contactLists',
  item: ContactList,
  input: ContactListInput,
  update: z.strictObject({ title: Title, type: ContactListType, isActive: z.boolean() }).partial(),
  query: listQuery({
    order: ['createdAt', 'title', 'updatedAt'],
    filter: {
      id: many(Id),
      type: many(ContactListType),
      isActive: QueryBoolean,
      OwnerId: Id,
    },
    range: ['createdAt'],
    search: true,
  }),
});
