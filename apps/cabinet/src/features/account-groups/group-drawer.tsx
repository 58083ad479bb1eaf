import { Alert, Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleText } from '../../core/errors.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { Sheet } from '../../ui/dialog.tsx';
import type { AccountGroup, Noun } from './account-groups.api.ts';

export interface GroupFormProps<T> {
  row: T | null;
  onClose: () => void;
}

interface GroupDrawerProps<T> {
  noun: Noun;
  query: (id: string) => UseQueryOptions<T, Error, T, string[]>;
  children: (props: GroupFormProps<T>) => ReactNode;
}

/** A group to read and change, `?id=`; a new one, `?create=true`. */
export function GroupDrawer<T extends AccountGroup>(props: GroupDrawerProps<T>) {
  const { noun, query, children } = props;
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const detail = useDetail(query);
  const isNew = creating !== null && can(`${noun}.create`);
  const showsNew = useLast(isNew && !detail.id, isNew || !!detail.id);
  const onClose = () => (isNew ? setCreating(null, { replace: true }) : detail.setId(null));
  const title = showsNew
    ? t(`accountGroups:createTitle.${noun}`)
    : (detail.data?.title ?? t(`accountGroups:detail.${noun}`));
  return (
    <Sheet opened={!!detail.id || isNew} onClose={onClose} size={560} title={title}>
      {showsNew ? (
        children({ row: null, onClose })
      ) : (
        <DetailBody detail={detail} failed={t('accountGroups:detailFailed')}>
          {(row) => children({ row, onClose })}
        </DetailBody>
      )}
    </Sheet>
  );
}

interface GroupFrameProps {
  noun: Noun;
  isNew: boolean;
  /** As it is kept. */
  title: string;
  isPending: boolean;
  error?: string;
  /** Refused, and of no field. */
  rest: string | null;
  onSave: (title: string, onSuccess: () => void) => void;
  onClose: () => void;
  children: ReactNode;
}

/** The form around what stands in a group: its title and its buttons. */
export function GroupFrame(props: GroupFrameProps) {
  const { noun, isNew, isPending, error, rest, onSave, onClose, children } = props;
  const { t } = useTranslation();
  const mayWrite = useCan()(isNew ? `${noun}.create` : `${noun}.update`);
  const [typed, setTyped] = useState(props.title);
  const [isAsked, setAsked] = useState(false);
  useKeepOpen(isPending);
  const title = typed.trim();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!title) {
      event.currentTarget.querySelector<HTMLElement>('[name=title]')?.focus();
      return;
    }
    onSave(title, () => {
      showSuccess(t('accountGroups:saved', { title }));
      onClose();
    });
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Fieldset variant="unstyled" disabled={!mayWrite || isPending}>
        <Stack>
          {rest && (
            <Alert color="red" role="alert">
              {rest}
            </Alert>
          )}
          <TextInput
            name="title"
            label={t('accountGroups:name')}
            required
            maxLength={50}
            data-autofocus={isNew || undefined}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={(isAsked && !title && ruleText(t, 'required')) || error}
          />
          {children}
        </Stack>
      </Fieldset>
      {mayWrite && (
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t(isNew ? 'accountGroups:createSubmit' : 'accountGroups:save')}
          </Button>
        </Group>
      )}
    </form>
  );
}
