import {
  hasMoneyScale,
  MAX_EMAIL_LENGTH,
  MAX_NAME_LENGTH,
  normalizeEmail,
  parseContactDate,
  PERSON_NAME,
  stripInvisible,
} from '@heliograph/domain';
import * as z from 'zod';

/** A text of a caller. One that is too long is refused before any other rule or the rules of the whole object look at it. */
export const text = (max: number) => z.string().max(max, { abort: true });
/** The same; spaces around it do not count. */
export const trimmed = (max: number) => z.string().trim().max(max, { abort: true });

/** An array of a caller. zod reads every item before it counts them; here one with too many is refused unread. */
export function arrayOf<T extends z.ZodType>(
  item: T,
  { min = 0, max }: { min?: number; max: number },
) {
  const counted = z.preprocess((value, ctx) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    ctx.addIssue(tooMany('array', max));
    return z.NEVER;
  }, z.array(item).min(min).max(max));
  return counted as unknown as z.ZodType<z.output<T>[], z.input<T>[]>;
}

/** Issues of a long array: a few show what is wrong with it. */
const MAX_ISSUES = 10;

/** Tens of thousands of short texts, without spaces around them. They are read in one loop: a schema for each would take twenty times as long. */
export function textArray({
  min = 0,
  max,
  maxLength,
}: {
  min?: number;
  max: number;
  maxLength: number;
}) {
  const items = { type: 'string', minLength: 1, maxLength };
  const texts = z.preprocess(
    (value, ctx) => {
      if (!Array.isArray(value)) return value;
      if (value.length <= max)
        return value.map((one: unknown) => (typeof one === 'string' ? one.trim() : one));
      ctx.addIssue(tooMany('array', max));
      return z.NEVER;
    },
    z
      .any()
      .superRefine((all: unknown, ctx) => {
        if (!Array.isArray(all)) {
          ctx.addIssue({ code: 'invalid_type', expected: 'array', input: all, continue: false });
          return;
        }
        if (all.length < min)
          ctx.addIssue({ code: 'too_small', origin: 'array', minimum: min, inclusive: true });
        for (let i = 0, issues = 0; i < all.length && issues < MAX_ISSUES; i++) {
          const one = all[i] as unknown;
          if (typeof one === 'string' && one.length > 0 && one.length <= maxLength) continue;
          issues++;
          ctx.addIssue({ path: [i], ...wrongText(one, maxLength) });
        }
      })
      .meta({ type: 'array', items, minItems: min, maxItems: max }),
  );
  return texts as unknown as z.ZodType<string[], string[]>;
}

function wrongText(one: unknown, maximum: number) {
  if (typeof one !== 'string')
    return { code: 'invalid_type' as const, expected: 'string' as const, input: one };
  const code = one.length ? ('too_big' as const) : ('too_small' as const);
  return { code, origin: 'string', minimum: 1, maximum, inclusive: true };
}

/** An object whose keys are the caller's, with as many as that at most. */
export function recordOf<K extends z.ZodType<string, string>, V extends z.ZodType>(
  key: K,
  value: V,
  max: number,
) {
  type In = Record<string, z.input<V>>;
  const counted = z.preprocess(
    (given, ctx) => {
      if (typeof given !== 'object' || given === null || Object.keys(given).length <= max)
        return given;
      ctx.addIssue(tooMany('object', max));
      return z.NEVER;
    },
    z.record(key, value).meta({ maxProperties: max }),
  );
  return counted as unknown as z.ZodType<Record<string, z.output<V>>, In>;
}

const tooMany = (origin: string, maximum: number) => ({
  code: 'too_big' as const,
  origin,
  maximum,
  inclusive: true,
});

/** UUIDv7 of a row; any version is accepted from outside. */
export const Id = z.guid();
/** The last id of a page: the next one goes on from there, in the order of `createdAt`, however far. */
export const Cursor = Id;
/** What ISO 8601 knows and no database keeps: the year 0, and offsets of more than 15 hours. */
const UNKEPT = /^0000|[+-](?:1[6-9]|2\d):\d\d$/;
const isKept = { message: 'This time cannot be kept.', params: { rule: 'range' } };
/** ISO-8601 time, UTC on the wire. */
export const Time = text(40)
  .check(z.iso.datetime({ offset: true }))
  .refine((time) => !UNKEPT.test(time), isKept);
/** The cabinet reads what is typed itself (its build leaves this out). */
const anyDay = (day: string) => parseContactDate(day) ?? day;
/** A day of the calendar, `1990-12-31`; `31.12.1990` and `12/31/1990` are read as such. */
export const Day = text(40)
  .overwrite(anyDay)
  .check(z.iso.date())
  .refine((day) => !UNKEPT.test(day), isKept);
export const Title = trimmed(50).min(1);
export const Phone = trimmed(40).min(5);
/** How many phones had no calling code, by the country (ISO 3166-1 alpha-2) whose numbers they were taken for. */
export const Assumed = z.array(z.object({ country: z.string(), count: z.int() }));
/** As sendings take it: any script, an `@`, a dot with at least two characters after it; kept in lower case. */
export const Email = trimmed(MAX_EMAIL_LENGTH)
  .overwrite(stripInvisible)
  .toLowerCase()
  .refine((email) => normalizeEmail(email) === email, {
    message: 'This is not an e-mail address.',
    params: { rule: 'invalid_format' },
  });
/** One amount is at most a billion: a hundred thousand of them fit into a balance. */
export const MAX_MONEY = 1e9;
/** An amount in the currency of its account. A rounding error such as 0.30000000000000004 is refused, not rounded. */
export const Money = z
  .number()
  .min(-MAX_MONEY, { abort: true })
  .max(MAX_MONEY, { abort: true })
  .refine(hasMoneyScale, {
    message: 'An amount has at most four decimals.',
    params: { rule: 'decimals' },
  });
/** Composed only when it is short: a long row of combining marks takes a quadratic time. */
export const PersonName = trimmed(MAX_NAME_LENGTH)
  .normalize()
  .max(MAX_NAME_LENGTH)
  .regex(PERSON_NAME, 'A name has letters, spaces, hyphens, apostrophes and points.');

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
    arrayOf(item, { min: 1, max }),
  );
}

/** `true`/`false`/`1`/`0` in a query. */
export const QueryBoolean = text(5)
  .toLowerCase()
  .pipe(z.enum(['true', '1', 'false', '0']))
  .transform((word) => word === 'true' || word === '1');
/** A session in an address: of downloads, whose links open in a tab of their own. */
export const QueryToken = text(4096).optional();
