import { can } from '@heliograph/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { queryClient } from '../../core/query.ts';
import { settingsQuery, useSettings } from '../../core/settings.ts';
import { approvedQuery } from '../sendernames/sendernames.api.ts';
import { SendFormProvider, useCreateSendForm } from './form/form-context.ts';
import { releaseDraftSlot, lockedDraftSlot, lockDraftSlot } from './draft/draft-slot.ts';
import { startValues } from './draft/start-values.ts';
import { inOrder } from './form/type-parts.ts';
import { tariffsQuery } from './form/use-prices.ts';
import { SendWizard } from './send-wizard.tsx';
import { usableQuery } from './steps/template-chips.tsx';

/** Before the page is drawn it is known where its draft is, and what makes its first step longer. */
export async function prepare(): Promise<void> {
  const [{ permissions }, { id, OwnerId }] = await Promise.all([
    queryClient.ensureQueryData(settingsQuery),
    queryClient.ensureQueryData(meQuery),
  ]);
  await Promise.all([
    lockDraftSlot(id),
    can(permissions, 'tariffs.get') && queryClient.prefetchQuery(tariffsQuery),
    can(permissions, 'templates.get') && queryClient.prefetchQuery(usableQuery(OwnerId)),
    can(permissions, 'sendernames.get') && queryClient.prefetchQuery(approvedQuery('sms', OwnerId)),
  ]);
}

/** `/send`, `/send/:template`, `?step=`. */
export function SendPage() {
  const { data } = useSuspenseQuery(meQuery).data;
  const [place] = useState(lockedDraftSlot);
  useEffect(() => releaseDraftSlot, []);
  const survey = data.meta?.survey;
  const types = inOrder(useSettings().sendings.types);
  const [params] = useSearchParams();
  const { template } = useParams();
  const [start] = useState(() =>
    startValues({ place, types, params, hasTemplate: !!template, survey }),
  );
  const form = useCreateSendForm({ initialValues: start.values });
  return (
    <SendFormProvider form={form}>
      <SendWizard place={place} start={start} />
    </SendFormProvider>
  );
}
