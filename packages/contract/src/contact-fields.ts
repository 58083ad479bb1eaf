import * as z from 'zod';
import { CUSTOM_FIELDS } from './contacts.ts';
import { endpoint } from './endpoint.ts';
import { arrayOf, Id, QueryToken, trimmed } from './fields.ts';

export const MAX_FIELD_TITLE = 40;
const CustomField = z.enum(CUSTOM_FIELDS);

/** What an account calls a field of its contacts: `custom01` is its "City". */
export const NamedField = z.object({ field: CustomField, title: z.string() });
export type NamedField = z.infer<typeof NamedField>;

/** The named fields of an account, in the order of the fields. Fields without a name are shown by their numbers. */
export const ContactFields = z.object({ OwnerId: Id, fields: z.array(NamedField) });
export type ContactFields = z.infer<typeof ContactFields>;

/** All names: fields that are left out have none any more. Their values stay. */
export const ContactFieldsInput = z
  .strictObject({
    fields: arrayOf(
      z.strictObject({ field: CustomField, title: trimmed(MAX_FIELD_TITLE).min(1) }),
      { max: CUSTOM_FIELDS.length },
    ),
  })
  .superRefine(({ fields }, ctx) => {
    for (const [index, { field, title }] of fields.entries()) {
      const isSame = (one: NamedField) =>
        one.field === field || one.title.toLowerCase() === title.toLowerCase();
      if (fields.findIndex(isSame) < index)
        ctx.addIssue({
          code: 'custom',
          path: ['fields', index, 'title'],
          message: 'Another field has this name.',
          params: { rule: 'unique' },
        });
    }
  });

export const contactFields = {
  get: endpoint('GET', '/contactFields', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: ContactFields,
    can: 'contactLists.get',
    owner: 'read',
    summary: 'Get the names of contact fields',
  }),
  update: endpoint('PUT', '/contactFields', {
    body: ContactFieldsInput,
    response: ContactFields,
    can: 'contactLists.update',
    audit: 'contactFields.update',
    summary: 'Name the fields of contacts',
  }),
};
