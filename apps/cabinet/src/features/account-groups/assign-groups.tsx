import { MAX_GROUPS, type GroupRef, type User } from '@heliograph/contract';
import { Alert, Button, Group, MultiSelect, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { groupRefsQuery, useAssignGroups, type Noun } from './account-groups.api.ts';

interface AssignGroupsProps {
  noun: Noun;
  user: User;
  /** Those that it is in now, in their order. */
  groups: GroupRef[];
  opened: boolean;
  onClose: () => void;
}

/** Which groups of one kind an account is in. */
export function AssignGroups({ opened, ...props }: AssignGroupsProps) {
  const { t } = useTranslation();
  const { noun, user, onClose } = props;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(`accountGroups:assign.${noun}`, { username: user.username })}
      size={500}
    >
      <AssignForm {...props} />
    </Dialog>
  );
}

function AssignForm({ noun, user, groups, onClose }: Omit<AssignGroupsProps, 'opened'>) {
  const { t } = useTranslation();
  const { mutate, isPending, error } = useAssignGroups(noun, user.id);
  useKeepOpen(isPending);
  const [ids, setIds] = useState(() => groups.map(({ id }) => id));
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 500);
  const { data = [], isFetching } = useQuery(groupRefsQuery(noun, search));
  // What was chosen keeps its title when something else is searched.
  const [titles, setTitles] = useState(() => new Map(groups.map(({ id, title }) => [id, title])));
  const offered = new Map([...titles, ...data.map(({ id, title }) => [id, title] as const)]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutate(ids, {
      onSuccess() {
        showSuccess(t('accountGroups:assigned', { username: user.username }));
        onClose();
      },
    });
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {!!error && (
          <Alert color="red" role="alert">
            {errorText(t, error)}
          </Alert>
        )}
        <MultiSelect
          label={t(`accountGroups:title.${noun}`)}
          description={t(`accountGroups:assignHint.${noun}`)}
          data={[...offered].map(([value, label]) => ({ value, label }))}
          value={ids}
          onChange={(chosen) => {
            setIds(chosen);
            setTitles(new Map(chosen.map((id) => [id, offered.get(id)!])));
          }}
          maxValues={MAX_GROUPS}
          searchable
          searchValue={typed}
          onSearchChange={setTyped}
          nothingFoundMessage={isFetching ? t('searching') : t('nothingFound')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('accountGroups:save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
