import { auth } from '@heliograph/contract';
import { api } from '../api.ts';
import { session } from './session.ts';

/** Looks at the cabinet as another account. The page is loaded anew at home; `leave` returns. */
export async function loginAs(userId: string): Promise<void> {
  const { token } = await api(auth.loginAs, { params: { id: userId } });
  session.actAs(token);
}
