import { setup, type Setup } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { frontend } from '../../core/frontend.ts';
import { session } from '../../core/session/session.ts';
import { signIn } from './sign-in.ts';

/** Creates the first administrator and signs in. Returns the path to go to: the administrator exists also when signing in failed. */
export async function setUp(body: Setup): Promise<string> {
  await api(setup.create, { body });
  // The page was made before.
  frontend.setup = false;
  await signIn({ username: body.username, password: body.password }).catch(() => undefined);
  return session.token() ? '/' : '/login';
}
