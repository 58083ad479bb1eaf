import {
  isUsernameTooLong,
  MAX_EMAIL_LENGTH,
  MAX_NEW_USERNAME,
  normalizeEmail,
} from '@heliograph/domain';
import * as z from 'zod';
import { Password, Username } from './auth.ts';
import { Captcha } from './captcha.ts';
import { endpoint } from './endpoint.ts';
import { Email, Id, PersonName, Phone, trimmed } from './fields.ts';
import { UserMeta } from './users.ts';

const NewUsername = Username.refine((username) => !isUsernameTooLong(username), {
  message: `A username without @ must have at most ${MAX_NEW_USERNAME} characters.`,
  params: { rule: 'too_long' },
});

/** Runs although other fields have errors, so that all errors of a form are reported at once. */
function requireEmail() {
  const check = new z.core.$ZodCheck({ check: 'custom', when: () => true });
  check._zod.check = ({ value, issues }) => {
    const { username, data } = (value ?? {}) as { username?: unknown; data?: { email?: unknown } };
    if (typeof username !== 'string' || typeof data !== 'object' || data === null) return;
    if (!data.email && normalizeEmail(username.slice(0, MAX_EMAIL_LENGTH)) === null)
      issues.push({
        code: 'custom',
        input: undefined,
        path: ['data', 'email'],
        message: 'An e-mail is required.',
        params: { rule: 'required' },
      });
  };
  return check;
}

/** The e-mail address is optional if the username is one; it is then copied from there. */
export const Registration = z
  .strictObject({
    username: NewUsername,
    password: Password,
    data: z.strictObject({
      email: trimmed(MAX_EMAIL_LENGTH)
        .pipe(z.union([z.literal(''), Email]))
        .nullish(),
      phone: Phone,
      firstName: PersonName.min(1),
      lastName: PersonName.nullish(),
      country: trimmed(60).nullish(),
      meta: UserMeta.optional(),
    }),
    captcha: Captcha,
    /** Forms of this API family send it for a sales program. It means nothing here. */
    $amo_confirmed: z.union([z.boolean(), z.literal([0, 1]), trimmed(20)]).nullish(),
  })
  .check(requireEmail());
export type Registration = z.output<typeof Registration>;

export const SURVEY_TARGETS = ['batchMailing', 'dialog', 'integration'] as const;
export type SurveyTarget = (typeof SURVEY_TARGETS)[number];
function isSurvey(text: string): boolean {
  const [target, type = '', ...more] = text.split(':');
  const isType = type.length <= 60 && /^[\w .-]+$/.test(type);
  return SURVEY_TARGETS.includes(target as SurveyTarget) && isType && more.length === 0;
}
/** `target:type`, e.g. `batchMailing:sms`. */
export const Survey = z.strictObject({
  survey: trimmed(80).refine(isSurvey, {
    message: 'The answer must have the format target:type.',
    params: { rule: 'invalid_format' },
  }),
});

export const registration = {
  create: endpoint('POST', '/registration', {
    bound: 'limiter',
    body: Registration,
    form: true,
    newPassword: 'password',
    response: z.object({ id: Id }),
    status: 201,
    can: 'public',
    audit: 'registration.create',
    summary:
      'Create an account. 403 registration_closed if closed, captcha_required after several registrations',
  }),
  survey: endpoint('POST', '/special/survey-results', {
    bound: 'nothing',
    body: Survey,
    response: Survey,
    can: 'session',
    summary: 'Save the answer to the survey, as target:type',
  }),
};
