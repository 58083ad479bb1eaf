import { MAX_GROUPS, type GroupRef, type User } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { AsyncMultiSelect } from '../../ui/async-multi-select.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { groupSource, useAssignGroups, type Noun } from './account-groups.api.ts';

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
  return (
    <ContractForm form={form} submit={t('accountGroups:save')} onCancel={onClose}>
      <AsyncMultiSelect
        {...form.field('ids')}
        value={form.values.ids}
        label={t(`accountGroups:title.${noun}`)}
        description={t(`accountGroups:assignHint.${noun}`)}
        source={groupSource(noun)}
        selected={groups.map(({ id, title }) => ({ value: id, label: title }))}
        maxValues={MAX_GROUPS}
      />
    </ContractForm>
  );
}
