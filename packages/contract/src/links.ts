import * as z from 'zod';
import { Id, text, Time } from './fields.ts';
import { crud, listQuery } from './list.ts';

export const MAX_LINK = 2048;

/** Target of a short link: an absolute http or https URL without user name and password. */
const Target = text(MAX_LINK)
  .check(
    z.url({
      protocol: /^https?$/,
      hostname: /^[^.]+(\.[^.]+)+\.?$/,
      error: 'The URL is invalid.',
    }),
  )
  .refine((url) => !hasCredentials(url), {
    params: { rule: 'url' },
    error: 'The URL must not contain a user name or password.',
  });

/** Parses like a browser, which accepts any number of slashes. */
function hasCredentials(url: string): boolean {
  const parsed = URL.parse(url);
  return Boolean(parsed?.username || parsed?.password);
}

export const Link = z.object({
  id: Id,
  url: z.string(),
  /** The URL to use in messages. */
  shortUrl: z.string(),
  /** Number of clicks; null when another service serves the link. */
  clicks: z.int().nullable(),
  /** Number of visits by programs, which are not clicks; null when another service serves the link. */
  previews: z.int().nullable(),
  clickedAt: Time.nullable(),
  OwnerId: Id,
  createdAt: Time,
});
export type Link = z.infer<typeof Link>;

export const LinkInput = z.strictObject({ url: Target });

/** Sent links must keep their target: there is no update. */
const { update: _, ...base } = crud('links', {
  quota: 'links',
  item: Link,
  input: LinkInput,
  update: LinkInput,
  query: listQuery({
    order: ['createdAt', 'clicks'],
    filter: { OwnerId: Id },
    range: ['createdAt'],
    search: true,
  }),
});
export const links = base;
