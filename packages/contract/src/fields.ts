import { normalizeEmail, PERSON_NAME } from '@heliograph/domain';
import * as z from 'zod';

/** UUIDv7 of a row; any version is accepted from outside. */
export const Id = z.guid();
/** The last id of a page: the next one goes on from there, in the order of `createdAt`, however far. */
export const Cursor = Id;
/** ISO-8601 time, UTC on the wire. */
export const Time = z.iso.datetime({ offset: true });
export const Title = z.string().trim().min(1).max(50);
export const Phone = z.string().trim().min(5).max(40);
/** As sendings take it: any script, an `@`, a dot with at least two characters after it; kept in lower case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .refine((text) => normalizeEmail(text) === text, {
    message: 'not an e-mail address',
    params: { rule: 'invalid_format' },
  });
/** Rubles or another account currency; at most four fraction digits. */
export const Money = z.number().multipleOf(0.0001).min(-1e12).max(1e12);
export const PersonName = z.string().normalize().trim().max(60).regex(PERSON_NAME, 'name');

/** Somebody, by name: whose a row is, or who did something. */
export const OwnerRef = z.object({ id: Id, username: z.string() });
export type OwnerRef = z.infer<typeof OwnerRef>;

/** Whose a row with sums is, for those who see more than their own, and in what that account pays. */
export const Owner = OwnerRef.extend({ currency: z.string() });
export type Owner = z.infer<typeof Owner>;

/** Several values of one filter: `status=failed` and `status[0]=failed&status[1]=paused` alike. */
export function many<T extends z.ZodType>(item: T, max = 200) {
  return z.preprocess(
    (v) => (v === undefined || Array.isArray(v) ? v : [v]),
    z.array(item).min(1).max(max),
  );
}

/** `true`/`false`/`1`/`0` in a query. */
export const QueryBoolean = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });
