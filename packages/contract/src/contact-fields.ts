import { FIELD_TYPES, foldText, type FieldType } from '@heliograph/domain';
import * as z from 'zod';
import { CONTACT_CUSTOM_LENGTH, CUSTOM_FIELDS } from './contacts.ts';
import type { FieldRule } from './descriptions/errors.ts';
import { endpoint } from './endpoint.ts';
import { arrayOf, Id, line, QueryToken, trimmed } from './fields.ts';

export const MAX_FIELD_TITLE = 40;
/** Values that a choice offers. */
export const MAX_CHOICE_VALUES = 100;
const CustomField = z.enum(CUSTOM_FIELDS);
const type = z.enum(FIELD_TYPES);
const values = arrayOf(line(CONTACT_CUSTOM_LENGTH).min(1), { max: MAX_CHOICE_VALUES });

/** What an account calls a field of its contacts, and what its values are: `custom01` is its "City", a text. */
export const NamedField = z.object({
  field: CustomField,
  title: z.string(),
  type,
  /** Of a choice; empty for other types. */
  values: z.array(z.string()),
});
export type NamedField = z.infer<typeof NamedField>;

/** The named fields of an account, in the order of the fields. Fields without a name are shown by their numbers. */
export const ContactFields = z.object({ OwnerId: Id, fields: z.array(NamedField) });
export type ContactFields = z.infer<typeof ContactFields>;

/** A choice has values of its own, each once whatever its case and accents; other types have none. */
function checkValues(
  given: { type?: FieldType; values?: string[] },
  refuse: (rule: FieldRule, message: string) => void,
): void {
  const { values: own = [] } = given;
  if (given.type === 'choice' ? !own.length : own.length > 0)
    refuse('required', 'A choice has values, and other types have none.');
  if (new Set(own.map(foldText)).size < own.length)
    refuse('unique', 'Two values of a choice are the same.');
}

/** All names: fields that are left out have none any more. Their values stay. A field without a type keeps the one that it has. */
export const ContactFieldsInput = z
  .strictObject({
    fields: arrayOf(
      z.strictObject({
        field: CustomField,
        title: trimmed(MAX_FIELD_TITLE).min(1),
        type: type.optional(),
        values: values.optional(),
      }),
      { max: CUSTOM_FIELDS.length },
    ),
  })
  .superRefine(({ fields }, ctx) => {
    for (const [index, given] of fields.entries()) {
      const refuse = (path: string) => (rule: FieldRule, message: string) =>
        ctx.addIssue({
          code: 'custom',
          path: ['fields', index, path],
          message,
          params: { rule },
        });
      const { field, title } = given;
      const isSame = (one: Pick<NamedField, 'field' | 'title'>) =>
        one.field === field || one.title.toLowerCase() === title.toLowerCase();
      if (fields.findIndex(isSame) < index)
        refuse('title')('unique', 'Another field has this name.');
      checkValues(given, refuse('values'));
    }
  });
export type ContactFieldsInput = z.output<typeof ContactFieldsInput>;

/** A type that a field may get. */
export const FieldTypeCheck = z
  .strictObject({ field: CustomField, type, values: values.default([]) })
  .superRefine((given, ctx) =>
    checkValues(given, (rule, message) =>
      ctx.addIssue({ code: 'custom', path: ['values'], message, params: { rule } }),
    ),
  );

export const FieldTypeChecked = z.object({
  /** Contacts of the account that have a value in the field. */
  filled: z.int(),
  /** Of them those whose value would not be one of the type. */
  misfits: z.int(),
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
  check: endpoint('POST', '/contactFields/check', {
    bound: 'nothing',
    body: FieldTypeCheck,
    response: FieldTypeChecked,
    cost: 'list',
    can: 'contacts.get',
    summary: 'Count the values that do not fit a type',
  }),
};
