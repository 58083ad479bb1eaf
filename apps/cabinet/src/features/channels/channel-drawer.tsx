import type { Channel } from '@heliograph/contract';
import { Alert, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconAlertTriangle } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ChannelBadge } from './channel-badge.tsx';
import { ChannelDomain } from './channel-domain.tsx';
import { channelQuery } from './channels.api.ts';

const ChannelNames = later(async () => (await import('./channel-names.tsx')).ChannelNames);
const ShareShifts = later(
  async () => (await import('../share-shifts/share-shifts-section.tsx')).ShareShifts,
);
const PriceLists = later(
  async () => (await import('../purchase-prices/price-lists-section.tsx')).PriceLists,
);
const ChannelWatch = later(async () => (await import('./channel-watch.tsx')).ChannelWatch);

interface ChannelDrawerProps {
  onTest: (row: Channel) => void;
  onEdit: (row: Channel) => void;
}

/** Drivers of carriers that post; others push over their sessions, or are asked. */
const POSTING = new Set([
  'http',
  'http-mapping',
  'whatsapp-cloud',
  'telegram-gateway',
  'telegram-bot',
  'max-bot',
]);

/** Of these, those that post in their own words, whatever the options. */
const OWN_WORDS = new Set(['whatsapp-cloud', 'telegram-gateway', 'telegram-bot', 'max-bot']);

/** E-mail channels get bounces from the server of their domain. */
const isPosting = ({ driver, options }: Channel) =>
  POSTING.has(driver) || options.bounceDomain !== undefined;

/** One channel in full, `?id=`: how it does, what it is set to, and where its carrier reports to. */
export function ChannelDrawer({ onTest, onEdit }: ChannelDrawerProps) {
  const { t } = useTranslation();
  const can = useCan();
  const detail = useDetail(channelQuery);
  return (
    <Sheet {...detail.frame} size="lg" title={detail.data?.name ?? t('channels:detail')}>
      <DetailBody detail={detail} failed={t('channels:detailFailed')}>
        {(row) => (
          <Stack>
            <State row={row} />
            {can('channels.update') && (
              <Group>
                <Button onClick={() => onTest(row)}>{t('channels:test')}</Button>
                <Button variant="default" onClick={() => onEdit(row)}>
                  {t('channels:editShort')}
                </Button>
              </Group>
            )}
            <ChannelWatch row={row} />
            {can('routes.get', 'managerUp') && (
              <ShareShifts of={{ ChannelId: row.name }} hidesNone />
            )}
            {can('purchasePrices.get', 'managerUp') && <PriceLists channel={row} />}
            <ChannelNames row={row} />
            <Settings row={row} />
            {isPosting(row) && <Addresses row={row} />}
            {row.driver === 'smtp' && <ChannelDomain channel={row.name} />}
          </Stack>
        )}
      </DetailBody>
    </Sheet>
  );
}

function State({ row: { state } }: { row: Channel }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const at = (time: string | null) => time && formats.dateTime(time);
  return (
    <>
      {state.status === 'failing' && (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('channels:failingTitle', { since: at(state.failingSince) })}
        >
          <Code>{state.error}</Code>
          <Text size="sm" mt="xs">
            {t('channels:failingText')}
          </Text>
        </Alert>
      )}
      <Facts
        facts={[
          { label: t('channels:state'), value: <ChannelBadge status={state.status} /> },
          { label: t('channels:submitted'), value: formats.number(state.submitted) },
          { label: t('channels:submittedAt'), value: at(state.submittedAt) },
          { label: t('channels:reportedAt'), value: at(state.reportedAt) },
          {
            label: t('channels:lastError'),
            value: state.status !== 'failing' && state.error && (
              <>
                <Code>{state.error}</Code> {at(state.errorAt)}
              </>
            ),
          },
        ]}
      />
    </>
  );
}

function Settings({ row }: { row: Channel }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const named = (name: string) => t(`channels:option.${name}`, { defaultValue: name });
  const valueText = (value: unknown) =>
    typeof value === 'boolean'
      ? t(value ? 'channels:yes' : 'channels:no')
      : Array.isArray(value)
        ? value.join(' – ')
        : String(value);
  return (
    <section aria-labelledby="channel-settings">
      <Title order={2} size="h5" mb="sm" id="channel-settings">
        {t('channels:settings')}
      </Title>
      <Facts
        facts={[
          {
            label: t('channels:types'),
            value: row.types.map((type) => t(`common:type.${type}`)).join(', '),
          },
          { label: t('channels:priority'), value: formats.number(row.priority) },
          ...(['rate', 'burst', 'perDay', 'warmUp'] as const).map((name) => ({
            label: t(`channels:limit.${name}`),
            value: row[name] !== null && formats.number(row[name]),
          })),
          {
            label: t('channels:needsRegistration'),
            value: t(row.needsRegistration ? 'channels:yes' : 'channels:no'),
          },
          { label: t('channels:driver'), value: row.driver },
          ...Object.entries(row.options).map(([name, value]) => ({
            label: named(name),
            value: <span style={{ overflowWrap: 'anywhere' }}>{valueText(value)}</span>,
          })),
          ...row.secrets.map((name) => ({ label: named(name), value: t('channels:secretSet') })),
          { label: t('channels:updated'), value: formats.dateTime(row.updatedAt) },
        ]}
      />
    </section>
  );
}

/** Where the carrier posts its reports and what people answer. */
function Addresses({ row: { name, driver, options } }: { row: Channel }) {
  const { t } = useTranslation();
  const api = `${location.origin}/api`;
  const base = `${api}/channels/${name}`;
  const ours = [
    { label: t('channels:statuses'), value: <CopyId id={`${base}/statuses`} /> },
    { label: t('channels:incoming'), value: <CopyId id={`${base}/incoming`} /> },
  ];
  const theirs = [
    { label: t('channels:callbacks'), value: <CopyId id={`${api}/callbacks/${name}`} /> },
  ];
  const isOurs = !OWN_WORDS.has(driver) && !options.callback && !options.bounceDomain;
  return (
    <section aria-labelledby="channel-addresses">
      <Title order={2} size="h5" mb="sm" id="channel-addresses">
        {t('channels:addresses')}
      </Title>
      <Facts facts={isOurs ? ours : theirs} />
    </section>
  );
}
