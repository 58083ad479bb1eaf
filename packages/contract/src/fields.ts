import {
  cleanName,
  hasCents,
  hasMoneyScale,
  isBlank,
  isCountry,
  isCurrency,
  isTimeZone,
  MAX_EMAIL_LENGTH,
  MAX_NAME_LENGTH,
  normalizeEmail,
  parseContactDate,
  PERSON_NAME,
  stripInvisible,
  unprintable,
  unprintableMessage,
} from '@heliograph/domain';
import * as z from 'zod';

/** The schemas of strings that may be of several lines. A test finds every other string of a request to be one line. */
export const ofLines = z.registry<{ mayHaveLines: true }>();

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const singleLine = (schema: z.ZodString) =>
  schema.refine((value) => !CONTROL.test(value), {
    message: 'The text must be one line without control characters.',
    params: { rule: 'text' },
  });
/** The length is checked first: other rules do not run on longer strings. */
const bounded = (max: number) => z.string().max(max, { abort: true });
/** Empty if nobody sees anything in it. */
const visible = (max: number) =>
  z
    .string()
    .trim()
    .max(max, { abort: true })
    .overwrite((value) => (isBlank(value) ? '' : value));

/** A string of a request in one line: control characters and line breaks are refused. */
export const text = (max: number) => singleLine(bounded(max));
/** The same, trimmed; empty if nobody sees anything in it. Of names and values: without what nobody sees, so that none reads as another. */
export const trimmed = (max: number) => singleLine(visible(max).overwrite(cleanName));
/** The same as it is written: texts of messages, and addresses, which are refused for what nobody sees. */
export const trimmedText = (max: number) => singleLine(visible(max));
/** A string of a request that may be of several lines, or of any characters, as a password. */
export const lines = (max: number) => bounded(max).register(ofLines, { mayHaveLines: true });
/** The same, trimmed; empty if nobody sees anything in it. */
export const trimmedLines = (max: number) => visible(max).register(ofLines, { mayHaveLines: true });

/** An optional field in whose place some clients send null. */
export function orNull<T extends z.ZodType>(schema: T): z.ZodOptional<T> {
  const given = z.preprocess((value) => value ?? undefined, schema.optional());
  return given.optional() as unknown as z.ZodOptional<T>;
}

/** A nullable field of a form that sends an empty text when it is emptied: null. */
export function emptied<T extends z.ZodType>(schema: T): T {
  return z.preprocess((given) => (given === '' ? null : given), schema) as unknown as T;
}

/** Several lines, in which somebody sees something. */
export const written = (max: number) =>
  lines(max).refine((given) => !isBlank(given), {
    message: 'A text is required.',
    params: { rule: 'required' },
  });

/** One line, trimmed, of what a rule leaves of a text. */
export const cleaned = (max: number, clean: (value: string) => string) =>
  singleLine(visible(max).overwrite(clean));
/** One line, trimmed: without line breaks, and without what nobody sees in it. */
export const line = (max: number) =>
  cleaned(max, (value) => stripInvisible(value).replace(/\s+/g, ' ').trim());
/** A line of a printed document. */
export const printed = (max: number) =>
  line(max).refine((value) => !unprintable(value).length, {
    error: ({ input }) => unprintableMessage(String(input)),
    params: { rule: 'unprintable' },
  });

/** An array of a request. zod validates every item before the length; here an array with too many items is refused first. */
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

/** Maximum number of issues reported for one array. */
const MAX_ISSUES = 10;

/** An array of tens of thousands of trimmed strings, validated in one loop: a zod schema for each item takes twenty times as long. */
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

/** An object with arbitrary keys, up to `max` of them. */
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

/** UUIDv7 of a row. Requests may contain any version. */
export const Id = z.guid();
/** The last id of the previous page, in the order of `createdAt`. */
export const Cursor = Id;
/** Valid in ISO 8601 but not in Postgres: the year 0 and offsets of more than 15 hours. */
const UNSUPPORTED_TIME = /^0000|[+-](?:1[6-9]|2\d):\d\d$/;
const unsupportedTime = { message: 'The time is out of range.', params: { rule: 'range' } };
/** ISO-8601 time, UTC on the wire. */
export const Time = text(40)
  .check(z.iso.datetime({ offset: true }))
  .refine((time) => !UNSUPPORTED_TIME.test(time), unsupportedTime);
/** The cabinet parses dates itself; its build removes this function. */
const anyDay = (day: string) => parseContactDate(day) ?? day;
/** A calendar date, `1990-12-31`. Requests may use `31.12.1990` and `12/31/1990`. */
export const Day = text(40)
  .overwrite(anyDay)
  .check(z.iso.date())
  .refine((day) => !UNSUPPORTED_TIME.test(day), unsupportedTime);
export const Title = trimmed(50).min(1);
export const Phone = trimmed(40).min(5);
/** Number of phones without a calling code, by the assumed country (ISO 3166-1 alpha-2). */
export const Assumed = z.array(z.object({ country: z.string(), count: z.int() }));
/** The same rules as for recipients (`normalizeEmail`); stored in lower case. */
export const Email = trimmedText(MAX_EMAIL_LENGTH)
  .overwrite(stripInvisible)
  .toLowerCase()
  .refine((email) => normalizeEmail(email) === email, {
    message: 'Invalid e-mail',
    params: { rule: 'email' },
  });
/** Maximum of one amount. A balance can hold the sum of 100,000 of them. */
export const MAX_MONEY = 1e9;
/** An amount in the currency of its account. A rounding error such as 0.30000000000000004 is refused, not rounded. */
export const Money = z
  .number()
  .min(-MAX_MONEY, { abort: true })
  .max(MAX_MONEY, { abort: true })
  .refine(hasMoneyScale, {
    message: 'The amount must have at most four decimals.',
    params: { rule: 'decimals' },
  });
/** Currency of amounts, ISO 4217. */
export const Currency = text(3).refine(isCurrency, {
  message: 'Expected a code of ISO 4217, such as EUR.',
  params: { rule: 'invalid_value' },
});
/** What can be paid: positive, with at most two decimals. */
export const Amount = Money.positive().refine(hasCents, {
  message: 'The amount must have at most two decimals.',
  params: { rule: 'cents' },
});
/** The length is checked before normalization, which takes quadratic time for long sequences of combining marks. */
export const PersonName = trimmed(MAX_NAME_LENGTH)
  .normalize()
  .max(MAX_NAME_LENGTH)
  .regex(PERSON_NAME, 'The name may contain only letters, spaces, hyphens and apostrophes.');

/** Reference to a user: the owner of a row, or an actor. */
export const OwnerRef = z.object({ id: Id, username: z.string() });
export type OwnerRef = z.infer<typeof OwnerRef>;

/** Owner of a row with amounts, with the currency of the account. Shown to readers with access to other accounts. */
export const Owner = OwnerRef.extend({ currency: z.string() });
export type Owner = z.infer<typeof Owner>;

/** One or more values of a filter: `status=failed` or `status[0]=failed&status[1]=paused`. */
export function many<T extends z.ZodType>(item: T, max = 200) {
  return z.preprocess(
    (v) => (v === undefined || Array.isArray(v) ? v : [v]),
    arrayOf(item, { min: 1, max }),
  );
}

/** Whether a field and its alias have the same value. Invalid values are reported by the schema itself. */
export function areSame(schema: z.ZodType, value: unknown, alias: unknown): boolean {
  const [one, other] = [schema.safeParse(value), schema.safeParse(alias)];
  return !one.success || JSON.stringify(one.data) === JSON.stringify(other.data);
}
/** The issue of a field whose alias with a dollar sign has another value. */
export const aliasConflict = (name: string) => ({
  code: 'custom' as const,
  path: [`$${name}`],
  message: `Send either ${name} or $${name}: they are names of one field and have different values.`,
  params: { rule: 'alias' },
});
const DIGITS = /^(\d{1,15}|-[1-9]\d{0,14})$/;
/** An integer in a query: decimal digits, not what `Number` also reads, such as `0x10`, `1e2` or an empty text. */
export const queryInt = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && DIGITS.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );
/** `true`/`false`/`1`/`0` in a query. */
export const QueryBoolean = text(5)
  .toLowerCase()
  .pipe(z.enum(['true', '1', 'false', '0']))
  .transform((word) => word === 'true' || word === '1');
/** Session token in the URL, for download links, which cannot send headers. */
export const QueryToken = text(4096).optional();

/** A time zone of the IANA database. Offsets are refused: Postgres reads their sign the other way round. */
export const TimeZone = text(64)
  .regex(/^[A-Za-z][\w+/-]{0,63}$/)
  .refine(isTimeZone, { message: 'The time zone is unknown.', params: { rule: 'time_zone' } });

/** A country of ISO 3166-1, alpha-2. One that does not exist would never be met. */
export const Country = trimmed(2)
  .regex(/^[A-Z]{2}$/)
  .refine(isCountry, {
    message: 'Expected a code of ISO 3166-1 alpha-2, such as GB.',
    params: { rule: 'country' },
  });

/** As in tariffs: `25001` is a network, `401*` all of a country. */
export const NetworkCode = trimmed(7).regex(/^\d{3}(\d{2,3}|\*)$/);
