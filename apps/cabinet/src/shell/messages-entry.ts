import { can } from '@heliograph/contract';
import { redirect } from 'react-router';
import { queryClient } from '../core/query.ts';
import { session } from '../core/session/session.ts';
import { settingsQuery } from '../core/settings.ts';
import { MESSAGES } from './navigation.ts';

/** `/messages` is its first part that the person may read: outgoing for most. */
export async function messagesEntry(): Promise<Response> {
  if (!session.token()) return redirect('/login?to=%2Fmessages');
  const { permissions } = await queryClient.ensureQueryData(settingsQuery);
  const first = MESSAGES.find((item) => can(permissions, item.can, item.accept));
  return redirect(first?.to ?? `/forbidden?need=${MESSAGES[0]!.can}`);
}
