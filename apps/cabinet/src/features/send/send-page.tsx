import { can } from '@heliograph/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { draftKey, takeDraft } from '../../core/drafts.ts';
import { queryClient } from '../../core/query.ts';
import { settingsQuery, useSettings } from '../../core/settings.ts';
import { approvedQuery } from '../sendernames/sendernames.api.ts';
import { startValues } from './draft/draft.ts';
import { inOrder } from './form/type-parts.ts';
import { tariffsQuery } from './form/use-prices.ts';
import { SendWizard } from './send-wizard.tsx';
import { usableQuery } from './steps/template.tsx';

/** Before the page is drawn it is known where its draft is, and what makes its first step longer. */
export async function prepare(): Promise<void> {
  const [{ permissions }, { id, OwnerId }] = await Promise.all([
    queryClient.ensureQueryData(settingsQuery),
    queryClient.ensureQueryData(meQuery),
  ]);
  takeDraft(draftKey(id, 'send'));
  await Promise.all([
    can(permissions, 'tariffs.get') && queryClient.prefetchQuery(tariffsQuery),
    can(permissions, 'templates.get') && queryClient.prefetchQuery(usableQuery(OwnerId)),
    can(permissions, 'sendernames.get') && queryClient.prefetchQuery(approvedQuery('sms', OwnerId)),
  ]);
}

/** `/send`, `/send/:template`, `?step=`. */
export function SendPage() {
  const { id, data } = useSuspenseQuery(meQuery).data;
  const key = draftKey(id, 'send');
  const survey = data.meta?.survey;
  const types = inOrder(useSettings().sendings.types);
  const [params] = useSearchParams();
  const { template } = useParams();
  const [start] = useState(() =>
    startValues({ key, types, params, hasTemplate: !!template, survey }),
  );
  return <SendWizard draftKey={key} start={start} />;
}
