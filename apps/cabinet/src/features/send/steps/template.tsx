import type { Template, TemplateRow } from '@heliograph/contract';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState, useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { isAway } from '../../../core/errors.ts';
import { FIND_DEBOUNCE_MS } from '../../../core/list-request.ts';
import { useCan, useSettings } from '../../../core/settings.ts';
import { showError } from '../../../core/toast.tsx';
import { findQuery } from '../../../list/state/use-list.ts';
import { IconSearch } from '../../../ui/icons.ts';
import { isUsable, templateSpec, wholeTemplateQuery } from '../../templates/templates.api.ts';
import type { SendForm } from '../form/send-form.ts';
import { isBlank, type SendValues } from '../form/send-values.ts';
import { saysTheSame, withTemplate } from '../form/template-values.ts';

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
  const [search] = useDebouncedValue(typed.trim(), FIND_DEBOUNCE_MS);
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

export interface Applied {
  /** The template of the URL, while the message is unchanged. */
  template: Template | null;
  /** The template that the message was started from: changes may be saved to it. */
  origin: Template | null;
  /** One of a list, or one that was just saved. */
  choose: (template: TemplateRow | Template | null) => void;
  /** The template of the URL when it cannot be used. */
  unusable: TemplateRow | null;
  /** Puts back what stood there before; null when there is nothing to put back. */
  undo: (() => void) | null;
}

/**
 * `/send/:template` brings a template into the form; a message that differs lets go of it. `?edit=true` brings one that
 * may not be sent from, to be mended.
 */
export function useTemplate(form: SendForm): Applied {
  const navigate = useNavigate();
  const { template: id = '' } = useParams();
  const { data, error } = useQuery({ ...wholeTemplateQuery(id), enabled: !!id, retry: false });
  const isEdited = useSearchParams()[0].has('edit');
  const [origin, setOrigin] = useState<Template | null>(null);
  const [unusable, setUnusable] = useState<TemplateRow | null>(null);
  const [before, setBefore] = useState<{ id: string; values: SendValues } | null>(null);
  const applied = useRef<{ id: string; from: SendValues } | null>(null);
  // Letting go takes a navigation, and is done once.
  const left = useRef('');
  const show = useCallback(
    (next: TemplateRow | null) => {
      const { search } = location;
      if (next) setUnusable(null);
      void navigate(
        { pathname: next ? `/send/${next.id}` : '/send', search },
        { replace: true, preventScrollReset: true, state: { keepsFocus: true } },
      );
    },
    [navigate],
  );
  const choose = (next: TemplateRow | Template | null) => {
    setOrigin(next && 'recipient' in next ? next : null);
    show(next);
  };
  const { values } = form;
  const isEmpty = isBlank(values);

  useEffect(() => {
    if (!id && isEmpty) setOrigin(null);
  }, [id, isEmpty]);

  useEffect(() => {
    if (!id) {
      applied.current = null;
      left.current = '';
    } else if (left.current === id) {
      return;
    } else if (error && !data && !isAway(error)) {
      left.current = id;
      showError(error);
      show(null);
    } else if (data && applied.current?.id !== id && !isEdited && !isUsable(data)) {
      left.current = id;
      setUnusable(data);
      show(null);
    } else if (data && applied.current?.id !== id) {
      applied.current = { id, from: values };
      setBefore({ id, values });
      setOrigin(data);
      form.set(withTemplate(values, data));
    } else if (data && applied.current?.from !== values && !saysTheSame(values, data)) {
      left.current = id;
      show(null);
    }
  }, [id, isEdited, data, error, values, form, show]);

  const isApplied = !!id && before?.id === id;
  return {
    template: isApplied && data ? data : null,
    origin,
    choose,
    unusable,
    undo: isApplied
      ? () => {
          choose(null);
          form.set(before.values);
        }
      : null,
  };
}

/** Explains why the template of the URL cannot be used. */
export function UnusableNote({ template }: { template: TemplateRow }) {
  const { t } = useTranslation();
  const { title, moderation, comment } = template;
  return (
    <Alert color="yellow" mb="md" p="sm" role="alert">
      {moderation === 'rejected'
        ? [t('send:templateRejected', { title }), comment].filter(Boolean).join(' ')
        : t('send:templateSetAside', { title })}
    </Alert>
  );
}
