import { normalizeEmail } from '@heliograph/domain';
import * as z from 'zod';
import { Password, Username } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { Email, Id, PersonName, Phone } from './fields.ts';
import { UserMeta } from './users.ts';

const required = (path: string[]) => ({
  code: 'custom' as const,
  path,
  message: 'required',
  params: { rule: 'required' },
});

/** The e-mail may be left out when the username is one: it is copied from there. */
export const Registration = z
  .object({
    username: Username,
    password: Password,
    data: z.object({
      email: z
        .string()
        .trim()
        .pipe(z.union([z.literal(''), Email]))
        .nullish(),
      phone: Phone,
      firstName: PersonName.min(1),
      lastName: PersonName.nullish(),
      country: z.string().trim().max(60).nullish(),
      meta: UserMeta.optional(),
    }),
  })
  .superRefine(({ username, data }, ctx) => {
    if (!data.email && normalizeEmail(username) === null) ctx.addIssue(required(['data', 'email']));
  });
export type Registration = z.output<typeof Registration>;

export const SURVEY_TARGETS = ['batchMailing', 'dialog', 'integration'] as const;
export type SurveyTarget = (typeof SURVEY_TARGETS)[number];
/** `target:type`, e.g. `batchMailing:sms`. */
export const Survey = z.object({
  survey: z
    .string()
    .trim()
    .regex(new RegExp(`^(${SURVEY_TARGETS.join('|')}):[\\w .-]{1,60}$`), 'survey'),
});

export const registration = {
  create: endpoint('POST', '/registration', {
    body: Registration,
    response: z.object({ id: Id }),
    status: 201,
    can: 'public',
    summary: 'Open an account; sign in afterwards',
  }),
  survey: endpoint('POST', '/special/survey-results', {
    body: Survey,
    response: Survey,
    can: 'session',
    summary: 'What the person came for, as target:type',
  }),
};
