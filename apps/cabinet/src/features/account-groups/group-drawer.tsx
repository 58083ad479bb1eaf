import { TextInput } from '@mantine/core';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import type { BoundField } from '../../core/forms/form-state.ts';
import type { ContractFormState } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
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

export function GroupDrawer<T extends AccountGroup>(props: GroupDrawerProps<T>) {
  const { noun, query, children } = props;
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={query}
      mayCreate={can(`${noun}.create`)}
      size={600}
      createTitle={t(`accountGroups:createTitle.${noun}`)}
      title={(row) => row?.title ?? t(`accountGroups:detail.${noun}`)}
      failed={t('accountGroups:detailFailed')}
    >
      {(row, onClose) => children({ row, onClose })}
    </RowDialog>
  );
}

interface GroupFormFrameProps {
  noun: Noun;
  isNew: boolean;
  form: ContractFormState & { field: (path: string) => BoundField };
  onClose: () => void;
  children: ReactNode;
}

/** The form around the contents of a group: its title and its buttons. */
export function GroupFormFrame({ noun, isNew, form, onClose, children }: GroupFormFrameProps) {
  const { t } = useTranslation();
  const mayWrite = useCan()(isNew ? `${noun}.create` : `${noun}.update`);
  const submit = t(isNew ? 'accountGroups:createSubmit' : 'accountGroups:save');
  return (
    <ContractForm form={form} readOnly={!mayWrite} submit={submit} onCancel={onClose}>
      <TextInput
        {...form.field('title')}
        label={t('accountGroups:name')}
        required
        maxLength={50}
        data-autofocus={isNew || undefined}
        autoComplete="off"
      />
      {children}
    </ContractForm>
  );
}

/** After a group is saved: says so and closes the drawer. */
export function useGroupSaved(onClose: () => void) {
  const { t } = useTranslation();
  return (_: unknown, { title }: { title: string }) => {
    showSuccess(t('accountGroups:saved', { title: title.trim() }));
    onClose();
  };
}
