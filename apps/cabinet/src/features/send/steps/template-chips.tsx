import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../../core/settings.ts';
import { findQuery } from '../../../list/state/use-list.ts';
import { IconSearch } from '../../../ui/icons.ts';
import { templateSpec } from '../../templates/templates.api.ts';
import { isUsable } from '../form/from-template.ts';
import type { Applied } from './use-template.ts';

/** Specification, section 9: ten are loaded, six are shown. */
const MAX_LOADED = 10;
const MAX_SHOWN = 6;

export const usableQuery = (OwnerId: string, search = '') =>
  findQuery(templateSpec, {
    limit: MAX_LOADED,
    order: [{ field: 'createdAt', direction: 'desc' }],
    search: search || undefined,
    filter: { OwnerId, isActive: 'true', moderation: ['pending', 'approved'] },
  });

/** Templates to start from. The selected one is deselected when the message differs from it. */
export function TemplateChips({ applied }: { applied: Applied }) {
  const { t } = useTranslation();
  const id = useId();
  const may = useCan()('templates.get');
  const { OwnerId } = useSettings().session;
  const [typed, setTyped] = useState('');
  const [all, setAll] = useState(false);
  const [search] = useDebouncedValue(typed.trim(), 100);
  const { data } = useQuery({
    ...usableQuery(OwnerId, search),
    enabled: may,
    placeholderData: keepPreviousData,
  });
  const { template, choose, undo } = applied;
  // A template that was rejected since the fetch is still in the cached answer.
  const found = data?.data.filter(isUsable) ?? [];
  if (!may || (!typed && !template && data?.total === 0)) return null;
  const shown = found.slice(0, all ? MAX_LOADED : MAX_SHOWN);
  const isMany = (data?.total ?? 0) > MAX_SHOWN || !!typed;
  // A template from the URL may be none of the newest.
  const chips =
    template && !shown.some((row) => row.id === template.id) ? [template, ...shown] : shown;
  return (
    <Stack gap={6} role="group" aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} id={id}>
          {t('send:templates')}
        </Text>
        {isMany && (
          <TextInput
            size="xs"
            w={200}
            aria-label={t('send:searchTemplates')}
            placeholder={t('send:searchTemplates')}
            leftSection={<IconSearch size={14} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Group>
      <Group gap={6}>
        {chips.map((row) => (
          <Button
            key={row.id}
            size="compact-sm"
            radius="xl"
            fw={500}
            // A long title takes two lines where there is little room.
            h="auto"
            mih={26}
            styles={{ label: { whiteSpace: 'normal', lineHeight: 1.35 } }}
            variant={row.id === template?.id ? 'filled' : 'default'}
            aria-pressed={row.id === template?.id}
            onClick={() => choose(row.id === template?.id ? null : row)}
          >
            {row.title}
          </Button>
        ))}
        {found.length > shown.length && (
          <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
            {t('send:moreTemplates', { count: found.length - shown.length })}
          </Button>
        )}
        {data && found.length === 0 && <Text size="sm">{t('send:noTemplates')}</Text>}
      </Group>
      {template && (
        <Alert color="blue" p="xs" role="status">
          <Group gap="sm">
            <Text size="sm">{t('send:templateInUse', { title: template.title })}</Text>
            {undo && (
              <Button size="compact-xs" variant="default" onClick={undo}>
                {t('send:templateUndo')}
              </Button>
            )}
          </Group>
        </Alert>
      )}
    </Stack>
  );
}
