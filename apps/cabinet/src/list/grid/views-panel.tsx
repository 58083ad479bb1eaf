import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconCheck, IconEdit, IconTrash } from '../../ui/icons.ts';
import { queryOf } from '../state/list-state.ts';
import { removeView, renameView, saveView, type View } from '../state/view-settings.ts';
import type { ListControl } from '../state/use-list-state.ts';

const MAX_NAME = 60;

/** Named views (filters, order and columns): apply one, or save the current state of the list. */
export function ViewsPanel({ control }: { control: ListControl }) {
  const { t } = useTranslation();
  const { viewSettings, setViewSettings, state, spec } = control;
  const [name, setName] = useState('');
  const query = queryOf(state, spec);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const view = { name: name.trim(), query, columns: viewSettings.columns };
    if (!view.name) return;
    setViewSettings({ views: saveView(viewSettings.views, view) });
    setName('');
  };
  return (
    <Stack gap="sm">
      {viewSettings.views.length ? (
        <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
          {viewSettings.views.map((view) => (
            <ViewLine
              key={view.name}
              view={view}
              control={control}
              isCurrent={view.query === query}
            />
          ))}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {t('list:views.none')}
        </Text>
      )}
      <form onSubmit={save}>
        <Stack gap="xs">
          <TextInput
            label={t('list:views.name')}
            maxLength={MAX_NAME}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <Button type="submit" disabled={!name.trim()}>
            {t('list:views.save')}
          </Button>
        </Stack>
      </form>
    </Stack>
  );
}

interface ViewLineProps {
  view: View;
  control: ListControl;
  isCurrent: boolean;
}

function ViewLine({ view, control, isCurrent }: ViewLineProps) {
  const { t } = useTranslation();
  const { viewSettings, setViewSettings, applyView } = control;
  const [renamed, setRenamed] = useState<string | null>(null);
  const { name } = view;
  const taken = renamed !== name && viewSettings.views.some((v) => v.name === renamed?.trim());
  const rename = (event: FormEvent) => {
    event.preventDefault();
    if (taken) return;
    setViewSettings({ views: renameView(viewSettings.views, name, renamed?.trim() ?? '') });
    setRenamed(null);
  };
  if (renamed !== null) {
    return (
      <li>
        <form onSubmit={rename}>
          <Group gap={4} wrap="nowrap" align="start">
            <TextInput
              flex={1}
              size="xs"
              aria-label={t('list:views.rename', { name })}
              maxLength={MAX_NAME}
              value={renamed}
              error={taken && t('list:views.taken')}
              onChange={(e) => setRenamed(e.currentTarget.value)}
              data-autofocus
              autoFocus
            />
            <ActionIcon type="submit" variant="subtle" aria-label={t('list:views.renameDone')}>
              <IconCheck size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </form>
      </li>
    );
  }
  return (
    <Group component="li" gap={4} wrap="nowrap">
      <Button
        flex={1}
        miw={0}
        variant={isCurrent ? 'light' : 'subtle'}
        size="xs"
        justify="start"
        aria-current={isCurrent || undefined}
        onClick={() => applyView(view)}
      >
        {name}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('list:views.rename', { name })}
        onClick={() => setRenamed(name)}
      >
        <IconEdit size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('list:views.remove', { name })}
        onClick={() => setViewSettings({ views: removeView(viewSettings.views, name) })}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
