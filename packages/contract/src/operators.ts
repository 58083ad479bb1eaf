import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { many, QueryToken, text } from './fields.ts';

export const Operator = z.object({
  /** As requested: `25001`, or `401*` for all networks of a country. */
  mccmnc: z.string(),
  /** Null for all networks of a country, and if only the country is known. */
  name: z.string().nullable(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
});
export type Operator = z.infer<typeof Operator>;

export const operators = {
  /** Unknown codes are omitted from the response. */
  lookup: endpoint('GET', '/operators', {
    query: z
      .strictObject({
        mccmnc: many(text(7).regex(/^\d{3,6}\*?$/)).optional(),
        mcc: text(3)
          .regex(/^\d{3}$/)
          .optional(),
        /** Used with `mcc`; without it all networks of the country. */
        mnc: text(3)
          .regex(/^\d{2,3}$/)
          .optional(),
        token: QueryToken,
      })
      .refine(({ mccmnc, mcc }) => mccmnc || mcc, {
        path: ['mcc'],
        message: 'Either mcc or mccmnc is required.',
      })
      .refine(({ mcc, mnc }) => mcc || !mnc, {
        path: ['mcc'],
        message: 'The parameter mnc requires mcc.',
      }),
    response: z.object({ data: z.array(Operator) }),
    can: 'tariffs.get',
    summary: 'Look up operators by network code',
  }),
};
