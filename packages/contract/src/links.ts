import * as z from 'zod';
import { Id, text, Time } from './fields.ts';
import { crud, listQuery } from './list.ts';

export const MAX_LINK = 2048;

/** Where a short link leads: a site on the web, named in full and without a name and password in front of it. */
const Target = text(MAX_LINK)
  .check(
    z.url({
      protocol: /^https?$/,
      hostname: /^[^.]+(\.[^.]+)+\.?$/,
      error: 'This is not a web address.',
    }),
  )
  .refine((url) => !namesUser(url), {
    params: { rule: 'url' },
    error: 'The address must not name a user.',
  });

/** As browsers read it, to whom any number of slashes is two. */
function namesUser(url: string): boolean {
  const parsed = URL.parse(url);
  return Boolean(parsed?.username || parsed?.password);
}

export const Link = z.object({
  id: Id,
  url: z.string(),
  /** What is written into a message. */
  shortUrl: z.string(),
  /** How often it was followed; null when another service answers it. */
  clicks: z.int().nullable(),
  clickedAt: Time.nullable(),
  OwnerId: Id,
  createdAt: Time,
});
export type Link = z.infer<typeof Link>;

export const LinkInput = z.strictObject({ url: Target });

/** A link leads where it led when it was sent: there is no update. */
const { update: _, ...base } = crud('links', {
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
