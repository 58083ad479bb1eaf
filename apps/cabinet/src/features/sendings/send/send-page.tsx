import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { meQuery } from '../../../core/account.ts';
import { queryClient } from '../../../core/query.ts';
import { useSettings } from '../../../core/settings.ts';
import { SendFormProvider, useCreateSendForm } from './form/form-context.ts';
import { releaseDraftSlot, lockedDraftSlot, lockDraftSlot } from './draft/draft-slot.ts';
import { startValues } from './draft/start-values.ts';
import { inOrder } from './form/type-parts.ts';
import { SendWizard } from './send-wizard.tsx';

/** Before the page is drawn it is known where its draft is. */
export async function prepare(): Promise<void> {
  await lockDraftSlot((await queryClient.ensureQueryData(meQuery)).id);
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
