import { MAX_GROUPS, type GroupRef, type User } from '@heliograph/contract';
import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
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
  const { mutateAsync } = useAssignGroups(noun, user.id);
  const form = useContractForm({
    initial: { ids: groups.map(({ id }) => id) },
    isEdit: true,
    submit: ({ ids }) => mutateAsync(ids),
    onDone() {
      showSuccess(t('accountGroups:assigned', { username: user.username }));
      onClose();
    },
  });
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 500);
  const { data = [], isFetching } = useQuery(groupRefsQuery(noun, search));
  // What was chosen keeps its title when something else is searched.
  const [titles, setTitles] = useState(() => new Map(groups.map(({ id, title }) => [id, title])));
  const offered = new Map([...titles, ...data.map(({ id, title }) => [id, title] as const)]);
  const footer = <FormFooter form={form} submit={t('accountGroups:save')} onCancel={onClose} />;
  return (
    <ContractForm form={form} footer={footer}>
      <MultiSelect
        {...form.field('ids')}
        label={t(`accountGroups:title.${noun}`)}
        description={t(`accountGroups:assignHint.${noun}`)}
        data={[...offered].map(([value, label]) => ({ value, label }))}
        onChange={(chosen) => {
          form.set({ ids: chosen });
          setTitles(new Map(chosen.map((id) => [id, offered.get(id)!])));
        }}
        maxValues={MAX_GROUPS}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        nothingFoundMessage={isFetching ? t('searching') : t('nothingFound')}
      />
    </ContractForm>
  );
}
