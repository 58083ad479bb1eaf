import { MAX_TAG_LENGTH, MAX_TAGS } from '@heliograph/domain';
import * as z from 'zod';
import { CUSTOM_FIELDS } from './contacts.ts';
import { ById, endpoint } from './endpoint.ts';
import { arrayOf, Country, Id, OwnerRef, text, Time, Title, trimmed, written } from './fields.ts';
import { crud, listQuery } from './list.ts';

/** Fields of a contact that a form can ask for, beside the address that is confirmed. */
export const SIGNUP_FIELDS = ['firstName', 'middleName', 'lastName', ...CUSTOM_FIELDS] as const;
export type SignupField = (typeof SIGNUP_FIELDS)[number];
/** Where the message goes by which an address is confirmed. */
export const SIGNUP_TYPES = ['email', 'sms'] as const;
/** Stands for the link in the text of the message. */
export const SIGNUP_LINK = '{link}';
export const MAX_SIGNUP_TEXT = 1000;
export const MAX_SIGNUP_CONSENT = 2000;
export const MAX_SIGNUP_ORIGINS = 20;
const MAX_COUNTRIES = 250;

/** Of the beginning of an address: a host of letters and digits, in ASCII, and a port. */
const ORIGIN = /^https:\/\/[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:\d{1,5})?$/;
const Origin = text(270)
  .toLowerCase()
  .regex(ORIGIN, 'Expected the beginning of an address, such as https://shop.example.');

const isWebPage = (url: string) =>
  URL.canParse(url) && url.startsWith('https://') && !/[\s"<>]/.test(url);
const ReturnUrl = text(2048).refine(isWebPage, {
  message: 'The address of a page must begin with https://.',
  params: { rule: 'url' },
});

const fields = {
  title: Title,
  isActive: z.boolean(),
  ListId: Id,
  type: z.enum(SIGNUP_TYPES),
  sender: trimmed(150).min(1),
  text: written(MAX_SIGNUP_TEXT).refine((given) => given.split(SIGNUP_LINK).length === 2, {
    message: `The text must have ${SIGNUP_LINK} once.`,
    params: { rule: 'required' },
  }),
  fields: arrayOf(z.strictObject({ field: z.enum(SIGNUP_FIELDS), isRequired: z.boolean() }), {
    max: SIGNUP_FIELDS.length,
  }).refine((all) => new Set(all.map(({ field }) => field)).size === all.length, {
    message: 'A field can be asked for once.',
    params: { rule: 'unique' },
  }),
  tags: arrayOf(trimmed(MAX_TAG_LENGTH).min(1), { max: MAX_TAGS }),
  consent: written(MAX_SIGNUP_CONSENT),
  returnUrl: ReturnUrl.nullable(),
  /** Sites that may show the form in a frame, or have a form of their own that is sent to it. */
  origins: arrayOf(Origin, { max: MAX_SIGNUP_ORIGINS }),
  /** Countries whose numbers are accepted; null for that of the account only. */
  countries: arrayOf(Country, { min: 1, max: MAX_COUNTRIES }).nullable(),
};
export const SignupFormInput = z.strictObject({
  ...fields,
  isActive: fields.isActive.default(true),
  fields: fields.fields.default([]),
  tags: fields.tags.default([]),
  returnUrl: fields.returnUrl.default(null),
  origins: fields.origins.default([]),
  countries: fields.countries.default(null),
});
/** The way of the message cannot be changed, because it asks for another address: only that of the row is accepted. */
export const SignupFormUpdate = z.strictObject(fields).partial();

export const SignupForm = z.object({
  id: Id,
  title: z.string(),
  isActive: z.boolean(),
  /** Null when it was removed. */
  ListId: Id.nullable(),
  type: fields.type,
  sender: z.string(),
  text: z.string(),
  fields: z.array(z.object({ field: z.enum(SIGNUP_FIELDS), isRequired: z.boolean() })),
  tags: z.array(z.string()),
  consent: z.string(),
  returnUrl: z.string().nullable(),
  origins: z.array(z.string()),
  countries: z.array(z.string()).nullable(),
  /** Address of its page. */
  url: z.string(),
  /** Messages that were sent. */
  asked: z.int(),
  confirmed: z.int(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type SignupForm = z.infer<typeof SignupForm>;

/** What a person has agreed to, and how that is known. */
export const Consent = z.object({
  FormId: Id,
  /** Of the form, at that time. */
  title: z.string(),
  address: z.string(),
  text: z.string(),
  /** SHA-256 of the text, in hexadecimal. */
  hash: z.string(),
  ip: z.string(),
  confirmedAt: Time,
});
export type Consent = z.infer<typeof Consent>;

export const signupForms = {
  ...crud('signupForms', {
    lasting: 'announced',
    item: SignupForm,
    input: SignupFormInput,
    update: SignupFormUpdate,
    audit: true,
    query: listQuery({
      order: ['createdAt', 'title'],
      filter: { OwnerId: Id },
      range: ['createdAt'],
      search: true,
    }),
  }),
  consents: endpoint('GET', '/contacts/:id/consents', {
    params: ById,
    response: z.object({ data: z.array(Consent) }),
    can: 'contacts.get',
    summary: 'List what a contact has agreed to',
  }),
};
