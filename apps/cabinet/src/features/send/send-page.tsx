import { can, isBulk } from '@heliograph/contract';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { draftKey, takeDraft } from '../../core/drafts.ts';
import { queryClient } from '../../core/query.ts';
import { settingsQuery, useSettings } from '../../core/settings.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { approvedQuery } from '../sendernames/sendernames.api.ts';
import { taskQuery, taskRecipientsQuery } from '../tasks/tasks.api.ts';
import { startValues } from './draft/draft.ts';
import { copyOf, type Copy } from './form/template-values.ts';
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

/** `/send`, `/send/:template`, `?step=`; `?task=` begins with the message and the recipients of a bulk. */
export function SendPage() {
  const copied = useSearchParams()[0].get('task') ?? '';
  const enabled = !!copied;
  const { data: task, error } = useQuery({ ...taskQuery(copied), enabled });
  const { data: recipients } = useQuery({ ...taskRecipientsQuery(copied), enabled });
  const { t } = useTranslation();
  if (error) return <ErrorCard title={t('tasks:detail.failed')} error={error} />;
  if (enabled && !(task && recipients)) return <DetailsSkeleton />;
  const copy = task && recipients && isBulk(task) ? copyOf(task, recipients) : null;
  return <SendStart key={copied} copy={copy} />;
}

/** `copy`: what another bulk was. */
function SendStart({ copy }: { copy: Copy | null }) {
  const { id, data } = useSuspenseQuery(meQuery).data;
  const key = draftKey(id, 'send');
  const survey = data.meta?.survey;
  const types = inOrder(useSettings().sendings.types);
  const [params] = useSearchParams();
  const { template } = useParams();
  const [start] = useState(() =>
    startValues({ key, types, params, hasTemplate: !!template, survey, copy }),
  );
  return <SendWizard draftKey={key} start={start} />;
}
