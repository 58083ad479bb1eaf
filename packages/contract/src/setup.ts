import * as z from 'zod';
import { Password, Username } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { Email, Id, trimmed } from './fields.ts';

/** The first administrator. The code is that of the installation, which who runs its machine reads there. */
export const Setup = z.strictObject({
  code: trimmed(200).min(1),
  username: Username,
  password: Password,
  /** For recovery and a test e-mail. It is not confirmed yet. */
  email: Email,
});
export type Setup = z.output<typeof Setup>;

export const setup = {
  /** 422 `code_wrong` for another code. */
  create: endpoint('POST', '/setup', {
    bound: 'limiter',
    body: Setup,
    newPassword: 'password',
    response: z.object({ id: Id }),
    status: 201,
    can: 'public',
    cost: 'login',
    audit: 'users.create',
    summary: 'Create the first administrator of an installation. 409 if it has one',
  }),
};
