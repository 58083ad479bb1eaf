import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { Id, lines, Money } from './fields.ts';
import { SuspensionInput, User } from './users.ts';

/** What an account that is closed stops, and what it has. */
export const AccountClosing = z.object({
  OwnerId: Id,
  balance: z.number(),
  currency: z.string(),
  /** Bulks that are scheduled, running or paused. */
  bulks: z.int(),
  recurringSendings: z.int(),
  automations: z.int(),
  reportSchedules: z.int(),
  recurrentPayments: z.int(),
  /** Instances that are renewed each month. */
  wapi: z.int(),
  webhooks: z.int(),
  /** Packages of messages that have not ended, and their units. */
  packages: z.int(),
  units: z.int(),
  /** Fees of monthly minimums that the balance has not covered. */
  unpaidFees: z.number(),
  /** Open accounts that have it as their reseller or manager: it cannot be closed before them. */
  customers: z.int(),
});
export type AccountClosing = z.infer<typeof AccountClosing>;

export const CloseInput = z.strictObject({
  reason: SuspensionInput.shape.reason,
  settlement: z
    .strictObject({
      /** The balance that was shown. */
      balance: Money,
      note: lines(500).min(1).optional(),
    })
    .refine(({ balance, note }) => balance === 0 || note !== undefined, {
      path: ['note'],
      message: 'Say how the balance was settled.',
      params: { rule: 'required' },
    }),
});
export type CloseInput = z.infer<typeof CloseInput>;

export const accountClosings = {
  preview: endpoint('GET', '/users/:id/closing', {
    params: ById,
    response: AccountClosing,
    can: 'users.close',
    accept: 'resellerUp',
    sessionOnly: true,
    cost: 'list',
    summary: 'Show what closing an account stops, and its balance',
  }),
  /** Of an account that is closed already, settles what has come to its balance since. */
  close: endpoint('POST', '/users/:id/close', {
    bound: 'limiter',
    params: ById,
    body: CloseInput,
    response: User,
    can: 'users.close',
    accept: 'resellerUp',
    audit: 'users.close',
    charges: true,
    idempotent: true,
    sessionOnly: true,
    lasting: 'refused',
    summary: 'Close an account and settle its balance, or settle what has come since',
  }),
  reopen: endpoint('POST', '/users/:id/reopen', {
    bound: 'limiter',
    params: ById,
    response: User,
    can: 'users.close',
    accept: 'resellerUp',
    audit: 'users.reopen',
    sessionOnly: true,
    lasting: 'refused',
    summary: 'Open a closed account again; what has ended stays ended',
  }),
};
