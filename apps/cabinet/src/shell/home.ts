import { can } from '@heliograph/contract';
import { redirect } from 'react-router';
import { queryClient } from '../core/query.ts';
import { session } from '../core/session/session.ts';
import { settingsQuery } from '../core/settings.ts';
import { NAVIGATION } from './navigation.ts';

/** There is no dashboard yet: the first page that the person may read stands in for it. */
export async function home(): Promise<Response> {
  if (!session.token()) return redirect('/login');
  const { permissions } = await queryClient.ensureQueryData(settingsQuery);
  const items = NAVIGATION.flatMap((group) => group.items);
  const first = items.find((item) => can(permissions, item.can, item.accept));
  return redirect(first?.to ?? '/forbidden');
}
