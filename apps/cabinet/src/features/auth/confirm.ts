import { emails } from '@heliograph/contract';
import { api } from '../../core/api.ts';

/** The account that a key is for, and the address that it confirms. */
export interface Confirmation {
  username: string;
  email: string;
}

export const checkEmailKey = (key: string): Promise<Confirmation> =>
  api(emails.check, { params: { key } });

export const confirmEmail = (key: string): Promise<Confirmation> =>
  api(emails.confirm, { params: { key } });
