import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { meQuery } from '../../../core/account.ts';
import { useSettings } from '../../../core/settings.ts';
import { SendFormProvider, useCreateSendForm } from './form/form-context.ts';
import { startValues } from './draft/start-values.ts';
import { inOrder } from './form/type-parts.ts';
import { SendWizard } from './send-wizard.tsx';

/** `/send`, `/send/:template`, `?step=`. */
export function SendPage() {
  const { id: userId, data } = useSuspenseQuery(meQuery).data;
  const survey = data.meta?.survey;
  const types = inOrder(useSettings().sendings.types);
  const [params] = useSearchParams();
  const { template } = useParams();
  const [start] = useState(() =>
    startValues({ userId, types, params, hasTemplate: !!template, survey }),
  );
  const form = useCreateSendForm({ initialValues: start.values });
  return (
    <SendFormProvider form={form}>
      <SendWizard userId={userId} start={start} />
    </SendFormProvider>
  );
}
