import type { Sending } from '@heliograph/contract';
import { ActionIcon, Group, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '../../core/i18n/i18n.ts';
import { useBlur } from '../../core/privacy.ts';
import { CodePane } from '../../ui/code-pane.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { curlOf, sameAgain } from '../send/send.api.ts';
import { keyedNeighbour, neighboursOf } from './neighbours.ts';
import { SendingDetails } from './sending-details.tsx';
import { SendingTimeline } from './sending-timeline.tsx';
import { sendingQuery } from './sendings.api.ts';

/** The choice of a recording is the send form's, with its words. */
const ResendDialog = later(
  async () =>
    (await withTexts(['send'], () => import('../send/resend/resend-dialog.tsx'))).ResendDialog,
);

/** One message in full, `?id=`: a link to it opens the list with the drawer over it. The arrows go along `ids`. */
export function SendingDrawer({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation();
  const detail = useDetail(sendingQuery);
  const { id, setId, data } = detail;
  const [tab, setTab] = useState('overview');
  const [resent, setResent] = useState<string | null>(null);
  // The browser's Back may show another message: what was written for the one before is not for its recipient.
  if (resent && resent !== id) setResent(null);
  const isResending = !!resent && resent === id;
  const isWide = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false });
  const around = neighboursOf(ids, id);
  // Walking along the list leaves no trail of steps to go back through.
  const go = (to: string) => setId(to, { replace: true });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = isResending ? null : keyedNeighbour(event, event.target as Element, around);
    if (!to) return;
    event.preventDefault();
    go(to);
  };
  return (
    <>
      <Sheet
        {...detail.frame}
        onKeyDown={onKeyDown}
        closeOnEscape={!isResending}
        size={isWide ? 800 : 600}
        title={
          <Group gap="xs">
            {t('sendings:detail.title')}
            <Step label={t('sendings:detail.previous')} to={around.previous} onGo={go}>
              <IconChevronLeft size={18} aria-hidden />
            </Step>
            <Step label={t('sendings:detail.next')} to={around.next} onGo={go}>
              <IconChevronRight size={18} aria-hidden />
            </Step>
          </Group>
        }
      >
        <DetailBody detail={detail} failed={t('sendings:detail.failed')}>
          {(sending) => (
            <SendingTabs
              sending={sending}
              tab={tab}
              onTab={setTab}
              onResend={() => setResent(sending.id)}
            />
          )}
        </DetailBody>
      </Sheet>
      {data && (
        <ResendDialog
          sending={data}
          opened={isResending}
          onClose={() => setResent(null)}
          onSent={(sent) => {
            setResent(null);
            setTab('overview');
            setId(sent);
          }}
        />
      )}
    </>
  );
}

interface StepProps {
  label: string;
  to: string | null;
  onGo: (id: string) => void;
  children: ReactNode;
}

function Step({ label, to, onGo, children }: StepProps) {
  return (
    <ActionIcon
      variant="default"
      aria-label={label}
      // At the end of the list it rests and keeps the focus, so that the arrow keys go on.
      aria-disabled={!to}
      data-disabled={!to || undefined}
      onClick={() => to && onGo(to)}
    >
      {children}
    </ActionIcon>
  );
}

interface SendingTabsProps {
  sending: Sending;
  tab: string;
  onTab: (tab: string) => void;
  onResend: () => void;
}

/** Tabs of a message: details, timeline, its JSON, and an API call that sends the same. */
function SendingTabs({ sending, tab, onTab, onResend }: SendingTabsProps) {
  const { t } = useTranslation();
  // The raw forms cannot be blurred in parts.
  const isBlurred = useBlur();
  return (
    <Tabs value={tab} onChange={(next) => next && onTab(next)} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="overview">{t('sendings:tab.overview')}</Tabs.Tab>
        <Tabs.Tab value="timeline">{t('sendings:tab.timeline')}</Tabs.Tab>
        {!isBlurred && <Tabs.Tab value="json">{t('sendings:tab.json')}</Tabs.Tab>}
        {!isBlurred && <Tabs.Tab value="api">{t('sendings:tab.api')}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <SendingDetails sending={sending} onResend={onResend} />
      </Tabs.Panel>
      <Tabs.Panel value="timeline">
        <SendingTimeline {...sending} />
      </Tabs.Panel>
      {!isBlurred && (
        <>
          <Tabs.Panel value="json">
            <CodePane
              label={t('sendings:tab.json')}
              hint={t('sendings:json', { path: `GET /api/sendings/${sending.id}` })}
              code={JSON.stringify(sending, null, 2)}
            />
          </Tabs.Panel>
          <Tabs.Panel value="api">
            <CodePane
              label={t('sendings:tab.api')}
              hint={t('sendings:curl', { token: '$TOKEN' })}
              code={curlOf(location.origin, sameAgain(sending))}
            />
          </Tabs.Panel>
        </>
      )}
    </Tabs>
  );
}
