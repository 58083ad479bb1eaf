import * as z from 'zod';
import { AccountInput } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { ErrorCode } from './errors.ts';
import { arrayOf, Id } from './fields.ts';
import { SpendCapInput } from './spend-caps.ts';
import { tariffs } from './tariffs.ts';
import { SuspensionInput } from './users.ts';

/** Accounts of one call. */
export const MAX_ACCOUNT_CHANGES = 100;
const BODY_LIMIT = 512 * 1024;

/** What can be changed in many accounts, each part as the call for one account takes it. */
const CHANGES = {
  settings: AccountInput.pick({
    ManagerId: true,
    isTest: true,
    overdraft: true,
    types: true,
    sendernamesCheck: true,
    lookupDays: true,
  }).optional(),
  tariffs: tariffs.assign.body!.shape.tariffs.optional(),
  caps: SpendCapInput.pick({ day: true, month: true, timeZone: true }).optional(),
  suspend: SuspensionInput.optional(),
  resume: z.literal(true).optional(),
};

export const AccountChange = z
  .strictObject({ id: Id, ...CHANGES })
  .refine(({ id: _, ...parts }) => Object.values(parts).some((part) => part !== undefined), {
    message: 'A change is required.',
    params: { rule: 'required' },
  })
  .refine(({ suspend, resume }) => !suspend || !resume, {
    path: ['resume'],
    message: 'An account is either suspended or active.',
    params: { rule: 'conflict' },
  });
export type AccountChange = z.output<typeof AccountChange>;

/** What became of the change of an account. */
export const AccountChanged = z.object({
  id: Id,
  /** Why nothing of the account was changed. Null if it was. */
  error: z
    .object({
      code: ErrorCode,
      message: z.string(),
      field: z.string().nullable(),
      rule: z.string().nullable(),
    })
    .nullable(),
});
export type AccountChanged = z.infer<typeof AccountChanged>;

export const accountChanges = {
  apply: endpoint('POST', '/users/changes', {
    bound: 'limiter',
    body: z.strictObject({
      changes: arrayOf(AccountChange, { min: 1, max: MAX_ACCOUNT_CHANGES }),
    }),
    bodyLimit: BODY_LIMIT,
    response: z.object({ data: z.array(AccountChanged) }),
    can: 'users.configure',
    accept: 'resellerUp',
    sessionOnly: true,
    lasting: 'refused',
    summary: 'Change several accounts, each wholly or not at all, with a result for each',
  }),
};
