import type { Analytics } from '@heliograph/contract';
import { deliveryRate } from '@heliograph/domain';
import { Anchor, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../core/use-formats.ts';
import { Bars } from '../../ui/bars.tsx';
import { Blurred } from '../../ui/blurred.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { analyticsQuery, messageCount } from '../analytics/analytics.api.ts';
import { Card } from './card.tsx';
import { lastDays } from './days.ts';
import { weakestOf } from './home-rules.ts';

const SPANS = [7, 30];
const KINDS = ['delivered', 'failed'] as const;

/** Messages, share delivered and cost of the last days beside those before, and the operator that is worse than the others. */
export function Course({ height }: { height: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [days, setDays] = useState(SPANS[0]!);
  const { period, dates } = lastDays(days);
  const asked = { period, isCompared: true };
  const { data, error, refetch } = useQuery(analyticsQuery({ by: 'day', ...asked }));
  const byDay = new Map(data?.data.map(({ key, figures }) => [key, figures]));
  return (
    <Card
      title={t('home:course.title')}
      height={height}
      aside={
        <Group gap="sm" wrap="nowrap">
          <NativeSelect
            size="xs"
            aria-label={t('home:course.period')}
            value={days}
            data={SPANS.map((count) => ({
              value: String(count),
              label: t('home:course.days', { count }),
            }))}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
          />
          <Anchor component={Link} to="/analytics?by=day" size="sm">
            {t('home:course.more')}
          </Anchor>
        </Group>
      }
    >
      {error && !data ? (
        <ErrorCard title={t('home:course.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={200} aria-busy />
      ) : !data.total.messages && !data.before?.messages ? (
        <Text size="sm" c="dimmed">
          {t('home:course.none')}
        </Text>
      ) : (
        <Stack gap="sm">
          <Totals data={data} period={period} />
          <Bars
            isStacked
            kinds={KINDS}
            nameOf={(kind) =>
              t(kind === 'failed' ? 'home:course.notDelivered' : 'home:course.delivered')
            }
            steps={dates.map((key) => ({
              key,
              label: formats.day(key),
              mark: formats.day(key),
              counts: byDay.get(key),
            }))}
          />
          <Weakest period={period} />
        </Stack>
      )}
    </Card>
  );
}

function Totals({ data: { total, before }, period }: { data: Analytics; period: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const share = (figures: Analytics['total']) => {
    const rate = deliveryRate(figures);
    return rate === null ? '–' : formats.percent(rate);
  };
  const figures: [label: string, now: ReactNode, then: ReactNode][] = [
    [
      t('home:course.messages'),
      <Anchor key="all" component={Link} to={`/messages/outgoing?period=${period}`} inherit>
        {formats.number(messageCount(total))}
      </Anchor>,
      before && formats.number(messageCount(before)),
    ],
    [t('home:course.share'), share(total), before && share(before)],
  ];
  if (total.cost !== null)
    figures.push([
      t('home:course.cost'),
      <Blurred key="cost" what={t('home:course.cost')}>
        {formats.money(total.cost)}
      </Blurred>,
      before?.cost != null && (
        <Blurred what={t('home:course.cost')}>{formats.money(before.cost)}</Blurred>
      ),
    ]);
  if (total.covered || before?.covered)
    figures.push([
      t('home:course.covered'),
      formats.number(total.covered ?? 0),
      before && formats.number(before.covered ?? 0),
    ]);
  return (
    <Group gap="xl" align="start">
      {figures.map(([label, now, then]) => (
        <div key={label}>
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="div" fw={600} size="lg" className="numeric">
            {now}
          </Text>
          {then && (
            <Text component="div" size="xs" c="dimmed" className="numeric">
              {t('home:course.before', { value: '' })}
              {then}
            </Text>
          )}
        </div>
      ))}
    </Group>
  );
}

/** The operator that takes most from the share, with its messages that did not arrive. */
function Weakest({ period }: { period: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery(analyticsQuery({ by: 'operator', period, isCompared: false }));
  const worst = data && weakestOf(data.data);
  if (!worst) return null;
  return (
    <Text size="sm">
      <Anchor
        component={Link}
        inherit
        to={`/messages/outgoing?period=${period}&f.mccmnc=${worst.key}&f.status=failed`}
      >
        {t('home:course.weakest', {
          name: worst.title ?? worst.key,
          share: formats.percent(worst.share),
          others: formats.percent(worst.others),
        })}
      </Anchor>
    </Text>
  );
}
