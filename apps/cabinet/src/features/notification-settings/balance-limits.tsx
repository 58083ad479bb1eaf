import { MAX_BALANCE_LIMITS, type BalanceLimit } from '@heliograph/contract';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../core/settings.ts';
import { showError, showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconTrash } from '../../ui/icons.ts';
import { BalanceLimitForm } from './balance-limit-form.tsx';
import { useSetLimits } from './notification-settings.api.ts';

interface BalanceLimitsProps {
  limits: BalanceLimit[];
  readOnly: boolean;
}

/** The balances below which the person is notified. */
export function BalanceLimits({ limits, readOnly }: BalanceLimitsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { isRestricted } = useSettings().advanced;
  /** The index of the edited limit; that of a new one is the number of limits. */
  const [edited, setEdited] = useState<number | null>(null);
  const { mutate, isPending } = useSetLimits();
  const remove = (index: number) =>
    mutate(
      { former: limits[index], next: null, index },
      {
        onSuccess: () => showSuccess(t('notificationSettings:limits.removed')),
        onError: showError,
      },
    );
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="sm">
        {t('notificationSettings:limits.title')}
      </Title>
      <Stack gap="sm">
        {limits.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('notificationSettings:limits.none')}
          </Text>
        )}
        {limits.map(({ balance, includeOverdraft, invoice, isReached }, i) => {
          const sum = formats.money(balance);
          return (
            <Group key={`${i} ${balance}`} justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm">
                {t('notificationSettings:limits.below', { sum })}
                {includeOverdraft && ` · ${t('notificationSettings:limits.overdraft')}`}
                {invoice &&
                  ` · ${
                    isRestricted
                      ? t('notificationSettings:limits.noInvoice')
                      : t('notificationSettings:limits.invoiceOf', {
                          sum: formats.money(invoice.data.SERVICE_PRICE),
                        })
                  }`}
                {isReached && ` · ${t('notificationSettings:limits.reached')}`}
              </Text>
              {!readOnly && (
                <Group gap={4} wrap="nowrap">
                  <IconAction
                    icon={IconEdit}
                    label={t('notificationSettings:limits.edit', { sum })}
                    onClick={() => setEdited(i)}
                  />
                  <IconAction
                    icon={IconTrash}
                    label={t('notificationSettings:limits.remove', { sum })}
                    disabled={isPending}
                    onClick={() => remove(i)}
                  />
                </Group>
              )}
            </Group>
          );
        })}
        {!readOnly && limits.length < MAX_BALANCE_LIMITS && (
          <div>
            <Button size="xs" variant="default" onClick={() => setEdited(limits.length)}>
              {t('notificationSettings:limits.add')}
            </Button>
          </div>
        )}
      </Stack>
      <Dialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size={600}
        title={t('notificationSettings:limits.one')}
      >
        {edited !== null && (
          <BalanceLimitForm limits={limits} index={edited} onClose={() => setEdited(null)} />
        )}
      </Dialog>
    </Paper>
  );
}
