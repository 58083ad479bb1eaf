import { emails } from '@heliograph/contract';
import { api } from '../../core/api.ts';

/** Whose login a key is for, and the address that it confirms. */
export interface Confirmation {
  username: string;
  email: string;
}

export const confirmationOf = (key: string): Promise<Confirmation> =>
  api(emails.check, { params: { key } });

export const confirm = (key: string): Promise<Confirmation> =>
  api(emails.confirm, { params: { key } });
