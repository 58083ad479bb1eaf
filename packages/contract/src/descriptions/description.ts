export interface Description {
  /** Meaning, unit and format, in one or two sentences. */
  description: string;
  /** A valid value of the field. Not needed for enumerations, booleans and named schemas. */
  example?: unknown;
}

export const as = (description: string, example?: unknown): Description =>
  example === undefined ? { description } : { description, example };

/** The same fields in several schemas. */
export const inEach = (schemas: string[], fields: Record<string, Description>) =>
  Object.fromEntries(
    schemas.flatMap((schema) =>
      Object.entries(fields).map(([name, about]) => [`${schema}.${name}`, about]),
    ),
  );

export const id = (description: string) => as(description, '01930000-0000-7000-8000-0000000000a1');

export const list = '01930000-0000-7000-8000-000000000111';

export const time = (description: string) =>
  as(`${description} ISO 8601, in UTC.`, '2026-11-22T09:15:00.000Z');

export const dated = (description: string) => time(`${description} Null until then.`);

export const sum = (description: string, example = 3.5) =>
  as(`${description} In the currency of the account, with up to four decimals.`, example);

export const MANAGERS_ONLY = 'Visible to managers only.';

/** The message of the examples, valid for every channel with texts. */
export const payload = { sender: 'MIRTEA', text: 'Your order is ready' };

export const PRICE =
  'Price of one unit: a segment of an SMS or MMS, or a message of another type. For calls, two numbers: per call and per started second.';
