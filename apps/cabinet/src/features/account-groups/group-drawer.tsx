import { TextInput } from '@mantine/core';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import type { BoundField } from '../../core/forms/form-state.ts';
import type { ContractFormState } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
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
    <ContractForm
      form={form}
      readOnly={!mayWrite}
      footer={<FormFooter form={form} submit={submit} onCancel={onClose} />}
    >
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
