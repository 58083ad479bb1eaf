import { deliveryRate } from '@heliograph/domain';
import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useBalance } from '../../core/account.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { cx } from '../../ui/cx.ts';
import { messagesOf } from './home-rules.ts';
import { summaryQuery } from './summary.api.ts';
import classes from './home.module.css';
import { Sparkline } from './sparkline.tsx';

/** Today's figures in four tiles. */
export function Tiles() {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const { data, error } = useQuery({ ...summaryQuery(), enabled: can('sendings.get') });
  const { data: balance } = useBalance();
  const today = data?.days.at(-1);
  const yesterday = data?.days.at(-2);
  const share = today ? deliveryRate(today) : null;
  const daysLeft = data?.money?.daysLeft;
  const unknown = error ? '—' : undefined;
  const money = (label: string, value: ReactNode) => <Blurred what={label}>{value}</Blurred>;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md">
      {can('sendings.get') && (
        <>
          <Tile
            label={t('home:tiles.sent')}
            to="/messages/outgoing?period=today"
            value={today ? formats.number(messagesOf(today)) : unknown}
            note={
              data &&
              yesterday && (
                <>
                  <Sparkline values={data.days.map(messagesOf)} />
                  {t('home:tiles.yesterday', { value: formats.number(messagesOf(yesterday)) })}
                </>
              )
            }
          />
          <Tile
            label={t('home:tiles.delivered')}
            to="/messages/outgoing?f.outcome=delivered&period=today"
            value={data ? (share === null ? '—' : formats.percent(share)) : unknown}
            note={
              today &&
              [
                t('home:tiles.failed', {
                  count: today.failed,
                  number: formats.number(today.failed),
                }),
                ...(today.cancelled
                  ? [t('home:tiles.cancelled', { number: formats.number(today.cancelled) })]
                  : []),
              ].join(', ')
            }
          />
        </>
      )}
      {can('billings.find') && (
        <>
          <Tile
            label={t('home:tiles.spent')}
            value={today ? money(t('home:tiles.spent'), formats.money(today.spent)) : unknown}
            to={can('sendings.get') ? '/messages/outgoing?period=today' : undefined}
            note={
              data &&
              yesterday && (
                <>
                  <Sparkline values={data.days.map((d) => d.spent)} />
                  {money(
                    t('home:tiles.spent'),
                    t('home:tiles.yesterday', { value: formats.money(yesterday.spent) }),
                  )}
                </>
              )
            }
          />
          <Tile
            label={t('home:tiles.balance')}
            value={balance && money(t('home:tiles.balance'), formats.money(balance.result))}
            note={
              typeof daysLeft === 'number'
                ? t('home:tiles.daysLeft', { count: daysLeft })
                : data && t('home:tiles.noSpending')
            }
          />
        </>
      )}
    </SimpleGrid>
  );
}

interface TileProps {
  label: string;
  value: ReactNode;
  note: ReactNode;
  to?: string;
}

function Tile({ label, value, note, to }: TileProps) {
  return (
    <Paper withBorder p="md" className={classes.tile}>
      <Text size="sm" c="dimmed">
        {to ? (
          <Link to={to} className={classes.cover}>
            {label}
          </Link>
        ) : (
          label
        )}
      </Text>
      <Text component="div" fw={600} className={cx('numeric', classes.value)} mih={40}>
        {value ?? <Skeleton height={26} width="60%" mt={8} />}
      </Text>
      <Text component="div" size="xs" c="dimmed" className={classes.note}>
        {note}
      </Text>
    </Paper>
  );
}
