import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { prefixesQuery, useUnblockPrefix } from './widgets.api.ts';

/** Numbering ranges that get no codes because hardly anyone confirmed one. Nothing if there are none. */
export function BlockedPrefixes() {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayUnblock = useCan()('widgets.update');
  const { data } = useQuery(prefixesQuery);
  const unblock = useUnblockPrefix();
  const blocked = data?.data.filter(({ blockedUntil }) => blockedUntil) ?? [];
  if (!blocked.length) return null;
  return (
    <Alert color="orange" variant="light" title={t('widgets:prefixes.title')}>
      <Stack gap="xs">
        <Text size="sm">{t('widgets:prefixes.text')}</Text>
        {blocked.map(({ prefix, sessions, confirmed, blockedUntil }) => (
          <Group key={prefix} gap="md">
            <Text size="sm">
              {t('widgets:prefixes.row', {
                prefix,
                sessions,
                confirmed,
                time: formats.dateTime(blockedUntil!),
              })}
            </Text>
            {mayUnblock && (
              <Button
                variant="default"
                size="xs"
                loading={unblock.isPending && unblock.variables === prefix}
                onClick={() => unblock.mutate(prefix)}
              >
                {t('widgets:prefixes.unblock')}
                <span className="visually-hidden"> {prefix}</span>
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
