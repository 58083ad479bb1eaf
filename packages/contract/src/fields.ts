import * as z from 'zod';

/** UUIDv7 of a row; any version is accepted from outside. */
export const Id = z.guid();
/** The last id of a page: the next one goes on from there, in the order of `createdAt`, however far. */
export const Cursor = Id;
/** ISO-8601 time, UTC on the wire. */
export const Time = z.iso.datetime({ offset: true });
export const Title = z.string().trim().min(1).max(50);
export const Phone = z.string().trim().min(5).max(40);
export const Email = z.email().max(254);
/** Rubles or another account currency; at most four fraction digits. */
export const Money = z.number().multipleOf(0.0001).min(-1e12).max(1e12);
/** A name of a person: Latin or Cyrillic letters, space, hyphen. */
export const PersonName = z
  .string()
  .trim()
  .max(60)
  .regex(/^[A-Za-zÀ-ÖØ-öø-ÿА-Яа-яЁё' -]*$/u, 'name');

/** Whose a row with sums is, for those who see more than their own, and in what that account pays. */
export const Owner = z.object({ id: Id, username: z.string(), currency: z.string() });
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
