import { installation, type InstallationStart } from '@heliograph/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { useStored } from '../../core/browser-storage.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { StepsCard, type ShownStep } from './steps-card.tsx';

const startQuery = queryOptions({
  queryKey: keysOf('installation').of('start'),
  queryFn: ({ signal }) => api(installation.start, { signal }),
  // Who returns from a step sees it done.
  staleTime: 0,
});

/** What a real installation still needs, for its administrators; hidden when it is complete or dismissed. */
export function GettingStarted() {
  const can = useCan();
  const { session, tools } = useSettings();
  const [gone, setGone] = useStored(`heliograph.gettingStarted.${session.UserId}`);
  // A demonstration has all of it, invented.
  const isShown =
    can('installation.update', 'managerUp') &&
    !session.impersonator &&
    !tools.simulator &&
    gone !== 'gone';
  return isShown ? <Steps onGone={() => setGone('gone')} /> : null;
}

function Steps({ onGone }: { onGone: () => void }) {
  const { t } = useTranslation();
  const { data } = useQuery(startQuery);
  const steps = data && stepsOf(t, data, location.origin);
  const isWalked = steps?.every(({ isDone }) => isDone);
  useEffect(() => {
    if (isWalked) onGone();
  }, [isWalked, onGone]);
  return steps && !isWalked ? (
    <StepsCard title={t('home:start.title')} steps={steps} onHide={onGone} />
  ) : null;
}

/** `origin`: where the administrator has opened the cabinet. */
function stepsOf(t: TFunction, start: InstallationStart, origin: string): ShownStep[] {
  const { publicUrl, mail, channel, hasPrices, hasCustomer } = start;
  return [
    {
      key: 'address',
      text: t('home:start.address', { url: publicUrl }),
      isDone: publicUrl === origin,
      hint: t('home:start.otherAddress', { origin }),
    },
    {
      key: 'mail',
      text: t('home:start.mail'),
      isDone: mail === 'tested',
      to: '/installation/settings',
      hint: mail === 'untested' && t('home:start.mailUntested'),
    },
    {
      key: 'channel',
      text: t('home:start.channel'),
      isDone: channel === 'working',
      to: '/channels',
      hint: channel === 'untested' && t('home:start.channelUntested'),
    },
    {
      key: 'prices',
      text: t('home:start.prices'),
      isDone: hasPrices,
      to: '/tariffCatalogue',
      hint: t('home:start.invented'),
    },
    {
      key: 'customer',
      text: t('home:start.customer'),
      isDone: hasCustomer,
      to: '/users',
    },
  ];
}
