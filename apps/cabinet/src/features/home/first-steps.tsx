import type { Permission } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import type { PagePath } from '../../core/access.ts';
import { useCan, useMayOpen, useSettings } from '../../core/settings.ts';
import { useStored } from '../../core/browser-storage.ts';
import { ownListsQuery, ownNamesQuery, ownSendingsQuery } from './home.api.ts';
import { STEPS, stepsDone, type Step } from './home-rules.ts';
import { StepsCard } from './steps-card.tsx';

const TO: Record<Step, string> = {
  phone: '?identity=phone',
  sendername: '/settings/sendernames?create=sms',
  contacts: '/contacts?action=create',
  send: '/send',
  topUp: '/balance/payments?topUp=true',
};

/** The page of a step, and what tells whether it is done. None: the step of the account's holder. */
const NEEDS: Record<Step, { page: PagePath; can: Permission } | null> = {
  phone: null,
  sendername: { page: '/settings/sendernames', can: 'sendernames.get' },
  contacts: { page: '/contacts', can: 'contactLists.get' },
  send: { page: '/send', can: 'sendings.get' },
  topUp: { page: '/balance/payments', can: 'payments.create' },
};

/** A checklist for the first message; hidden when it is complete or dismissed. */
export function FirstSteps() {
  const { data: me } = useQuery(meQuery);
  const [gone, setGone] = useStored(`heliograph.firstSteps.${me?.id ?? ''}`);
  // Managers run the accounts of others.
  return me && me.level !== 'manager' && gone !== 'gone' ? (
    <Steps onGone={() => setGone('gone')} />
  ) : null;
}

function Steps({ onGone }: { onGone: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const mayOpen = useMayOpen();
  const settings = useSettings();
  const { OwnerId, UserId, impersonator } = settings.session;
  const isHolder = UserId === OwnerId && !impersonator;
  const names = useQuery({ ...ownNamesQuery(OwnerId), enabled: can('sendernames.get') });
  const lists = useQuery({ ...ownListsQuery(OwnerId), enabled: can('contactLists.get') });
  const sent = useQuery({ ...ownSendingsQuery(OwnerId), enabled: can('sendings.get') });
  const had = { names: names.data?.data, lists: lists.data?.total, sent: sent.data?.total };
  const isDone = stepsDone(had, settings);
  const steps = STEPS.filter((step) => {
    const need = NEEDS[step];
    return need ? mayOpen(need.page) && can(need.can) : isHolder;
  });
  const isKnown = steps.every((step) => isDone[step] !== undefined);
  const done = steps.filter((step) => isDone[step]);
  const isWalked = isKnown && done.length === steps.length;
  useEffect(() => {
    if (isWalked) onGone();
  }, [isWalked, onGone]);
  // Complete for most accounts, so no height is reserved for it.
  if (!isKnown || isWalked) return null;
  return (
    <StepsCard
      title={t('home:steps.title')}
      steps={steps.map((step) => ({
        key: step,
        text: t(`home:steps.${step}`),
        isDone: done.includes(step),
        to: TO[step],
      }))}
      onHide={onGone}
    />
  );
}
