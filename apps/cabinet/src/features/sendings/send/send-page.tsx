import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense, use, useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { meQuery } from '../../../core/account.ts';
import { useSettings } from '../../../core/settings.ts';
import { SendFormProvider, useCreateSendForm } from './form/form-context.ts';
import { leavePlace, takePlace } from './draft/place.ts';
import { startValues } from './draft/start-values.ts';
import { inOrder } from './form/type-parts.ts';
import { SendWizard } from './send-wizard.tsx';

/** `/send`, `/send/:template`, `?step=`. */
export function SendPage() {
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}

function Page() {
  const { id: userId, data } = useSuspenseQuery(meQuery).data;
  const place = use(takePlace(userId));
  useEffect(() => {
    void takePlace(userId);
    return leavePlace;
  }, [userId]);
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
