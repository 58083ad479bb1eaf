import { brandHost, isColor, LOCALES, MAX_LOGO_BYTES, unreadableColor } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Email, Id, line, Phone, QueryToken, text } from './fields.ts';

export const MAX_BRAND_TITLE = 60;
const MAX_LINK = 500;
const MAX_DOMAIN = 260;

/** How a reseller appears to its customers. What is null is as in the installation. */
const own = {
  title: z.string().nullable(),
  /** `#rrggbb`. */
  primary: z.string().nullable(),
  accent: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  chat: z.string().nullable(),
  privacy: z.string().nullable(),
  offer: z.string().nullable(),
  /** Of visitors and customers who have chosen no language. */
  locale: z.enum(LOCALES).nullable(),
};

export const Brand = z.object({
  OwnerId: Id,
  ...own,
  /** The host at which the cabinet has the brand before the sign-in; in ASCII. */
  domain: z.string().nullable(),
  /** Paths of the pictures. */
  logo: z.string().nullable(),
  darkLogo: z.string().nullable(),
  /** What applies instead of what is null. */
  installation: z.object({ ...own, title: z.string(), primary: z.string(), accent: z.string() }),
});
export type Brand = z.infer<typeof Brand>;

const Color = text(7)
  .toLowerCase()
  .refine(isColor, {
    message: 'A colour is written as #1c6dd0.',
    params: { rule: 'color' },
  });
const Link = text(MAX_LINK).check(
  z.url({
    protocol: /^https$/,
    hostname: /^[^.]+(\.[^.]+)+\.?$/,
    error: 'The link must start with https://.',
  }),
);

/** The refusal of a colour that makes the brand unreadable. */
export const CONTRAST_MESSAGES = {
  primary:
    'White text on the primary colour must have a contrast of 4.5 or more. Choose a darker one.',
  accent: 'The accent on the primary colour must have a contrast of 2 or more.',
};
/** Is read on whatever white is read on. Instead of the colours of the installation, which the server checks. */
const WHITE = '#ffffff';

export const BrandInput = z
  .strictObject({
    OwnerId: Id.optional(),
    title: line(MAX_BRAND_TITLE).min(1).nullable(),
    primary: Color.nullable(),
    accent: Color.nullable(),
    email: Email.nullable(),
    phone: Phone.nullable(),
    chat: Link.nullable(),
    privacy: Link.nullable(),
    offer: Link.nullable(),
    locale: z.enum(LOCALES).nullable(),
  })
  .superRefine(({ primary, accent }, ctx) => {
    const field = primary && unreadableColor({ primary, accent: accent ?? WHITE });
    if (!field) return;
    const params = { rule: 'contrast' };
    ctx.addIssue({ code: 'custom', path: [field], message: CONTRAST_MESSAGES[field], params });
  });
export type BrandInput = z.infer<typeof BrandInput>;

const Domain = text(MAX_DOMAIN)
  .refine((given) => brandHost(given) !== null, {
    message: 'Enter a domain such as sms.example.com, without a port or a path.',
    params: { rule: 'domain' },
  })
  .overwrite((given) => brandHost(given) ?? given);

/** Base64 of the greatest picture. */
const MAX_LOGO_TEXT = Math.ceil(MAX_LOGO_BYTES / 3) * 4;

export const brands = {
  get: endpoint('GET', '/brands', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: Brand,
    can: 'brands.get',
    accept: 'resellerUp',
    owner: 'read',
    summary: 'Get the brand of a reseller',
  }),
  update: endpoint('PUT', '/brands', {
    body: BrandInput,
    response: Brand,
    can: 'brands.update',
    accept: 'resellerUp',
    owner: 'write',
    sessionOnly: true,
    audit: 'brands.update',
    summary: 'Change the brand of a reseller',
  }),
  /** A manager checks that the domain is the reseller's. */
  setDomain: endpoint('PUT', '/brands/domain', {
    body: z.strictObject({ OwnerId: Id, domain: Domain.nullable() }),
    response: Brand,
    can: 'brands.setDomain',
    accept: 'managerUp',
    owner: 'write',
    sessionOnly: true,
    audit: 'brands.setDomain',
    summary: 'Set the domain of a brand',
  }),
  setLogo: endpoint('PUT', '/brands/logo', {
    body: z.strictObject({
      OwnerId: Id.optional(),
      scheme: z.enum(['light', 'dark']),
      /** Base64. */
      image: text(MAX_LOGO_TEXT).check(z.base64()).nullable(),
    }),
    response: Brand,
    can: 'brands.update',
    accept: 'resellerUp',
    owner: 'write',
    bodyLimit: MAX_LOGO_TEXT + 1024,
    sessionOnly: true,
    audit: 'brands.setLogo',
    summary: 'Set the logo of a brand',
  }),
  /** Its path has the hash of its bytes, so that it may be kept for ever. */
  logo: endpoint('GET', '/brands/logos/:hash', {
    params: z.object({ hash: text(64).regex(/^[0-9a-f]{64}$/) }),
    anyQuery: true,
    response: Brand,
    can: 'public',
    cost: 'lookup',
    download: true,
    summary: 'Download the logo of a brand',
  }),
};
