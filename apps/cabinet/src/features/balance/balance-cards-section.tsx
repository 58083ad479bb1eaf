import { Paper, Skeleton, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useBalance } from '../../core/account.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { cx } from '../../ui/cx.ts';
import classes from './balance.module.css';

/** What can be spent, the balance and the overdraft; their sum is the first. */
export function BalanceCardsSection() {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const isNarrow = useMediaQuery('(max-width: 74.99em)', false, { getInitialValueInEffect: false });
  const { data } = useBalance();
  if (!can('billings.find')) return null;
  const sums = [
    [t('shell:balance.total'), data && data.balance + data.overdraft],
    [t('shell:balance.label'), data?.balance],
    [t('shell:balance.overdraft'), data?.overdraft],
  ] as const;
  return (
    <div
      role="region"
      className={classes.cards}
      aria-label={t('shell:balance.label')}
      // The keyboard scrolls it.
      tabIndex={isNarrow ? 0 : undefined}
    >
      {sums.map(([label, sum]) => (
        <Paper key={label} withBorder px="md" py="xs" className={classes.card}>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="div" fw={600} size="lg" className={cx('numeric', classes.sum)}>
            {sum === undefined ? (
              <Skeleton height={18} width={90} />
            ) : (
              <Blurred what={label}>{formats.money(sum)}</Blurred>
            )}
          </Text>
        </Paper>
      ))}
    </div>
  );
}
