import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { many, QueryToken, text } from './fields.ts';

export const Operator = z.object({
  /** As it was asked for: `25001`, or `401*` for all networks of a country. */
  mccmnc: z.string(),
  /** Null for a whole country, and for a network of which only the country is known. */
  name: z.string().nullable(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
});
export type Operator = z.infer<typeof Operator>;

export const operators = {
  /** What codes of networks mean; unknown ones are left out. */
  lookup: endpoint('GET', '/operators', {
    query: z
      .strictObject({
        mccmnc: many(text(7).regex(/^\d{3,6}\*?$/)).optional(),
        mcc: text(3)
          .regex(/^\d{3}$/)
          .optional(),
        /** With `mcc` a network, without it all networks of that country. */
        mnc: text(3)
          .regex(/^\d{2,3}$/)
          .optional(),
        token: QueryToken,
      })
      .refine(({ mccmnc, mcc }) => mccmnc || mcc, {
        path: ['mcc'],
        message: 'One of mcc and mccmnc is required.',
      })
      .refine(({ mcc, mnc }) => mcc || !mnc, {
        path: ['mcc'],
        message: 'The field mnc needs mcc beside it.',
      }),
    response: z.object({ data: z.array(Operator) }),
    can: 'tariffs.get',
    summary: 'Operators by mobile country and network code',
  }),
};
