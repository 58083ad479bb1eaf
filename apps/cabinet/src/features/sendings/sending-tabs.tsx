import type { Sending } from '@heliograph/contract';
import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBlur } from '../../core/privacy.ts';
import { CodePane } from '../../ui/code-pane.tsx';
import { curlOf, sameAgain } from '../send/send.api.ts';
import { SendingDetails } from './sending-details.tsx';
import { SendingTimeline } from './sending-timeline.tsx';

interface SendingTabsProps {
  sending: Sending;
  tab: string;
  onTab: (tab: string) => void;
  onResend: () => void;
}

/** Tabs of a message: details, timeline, its JSON, and an API call that sends the same. */
export function SendingTabs({ sending, tab, onTab, onResend }: SendingTabsProps) {
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
