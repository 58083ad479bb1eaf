import type { UserTariff } from '@heliograph/contract';
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type * as z from 'zod';
import { useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { later } from '../../ui/later.tsx';

const AssignForm = later(async () => (await import('./assign-form.tsx')).AssignForm);

interface AccountTariffsProps {
  OwnerId: string;
  username: string;
  tariffs: z.infer<typeof UserTariff>[];
}

/** The tariffs of an account in order of precedence; those who set prices change them. */
export function AccountTariffs({ OwnerId, username, tariffs }: AccountTariffsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { session } = useSettings();
  const can = useCan();
  const isReseller = session.level === 'reseller';
  // A reseller sets the prices of its customers, not its own.
  const mayAssign =
    can('tariffs.update', 'resellerUp') && !(isReseller && OwnerId === session.OwnerId);
  const [opened, setOpened] = useState(false);
  const onClose = () => setOpened(false);
  return (
    <section aria-labelledby="user-tariffs">
      <Title order={2} size="h5" mb="xs" id="user-tariffs">
        {t('users:tariffs')}
      </Title>
      {tariffs.length ? (
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {tariffs.map(({ id, title, finalRules }) => (
            <li key={id}>
              <Anchor component={Link} to={`/tariffs?f.OwnerId=${OwnerId}&id=${id}`} size="sm">
                {t('users:tariff', {
                  title,
                  count: finalRules.length,
                  number: formats.number(finalRules.length),
                })}
              </Anchor>
            </li>
          ))}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {t('users:noTariffs')}
        </Text>
      )}
      {mayAssign && (
        <Group mt="xs">
          <Button variant="default" size="xs" onClick={() => setOpened(true)}>
            {t('users:assign.change')}
          </Button>
        </Group>
      )}
      <Dialog
        opened={opened}
        onClose={onClose}
        title={t('users:assign.title', { username })}
        size={600}
      >
        <AssignForm OwnerId={OwnerId} tariffs={tariffs} isReseller={isReseller} onClose={onClose} />
      </Dialog>
    </section>
  );
}
