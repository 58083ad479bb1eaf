import { identityProviders, LEVELS, type IdentityProvider, type Level } from '@heliograph/contract';
import { Checkbox, Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { OwnerSelect } from '../../ui/owner-select.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { GroupRoleFields, groupRolesOf, groupRoleValues } from './group-role-fields.tsx';
import { useCreateProvider, useUpdateProvider } from './identity-providers.api.ts';

interface ProviderDialogProps {
  /** Null for a new one. */
  row: IdentityProvider | null;
  opened: boolean;
  onClose: () => void;
}

export function ProviderDialog({ row, opened, onClose }: ProviderDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={
        row ? t('identityProviders:edit', { title: row.title }) : t('identityProviders:create')
      }
      size={600}
    >
      <ProviderForm row={row} onClose={onClose} />
    </Dialog>
  );
}

const plain = { autoComplete: 'off', spellCheck: false } as const;

function ProviderForm({ row, onClose }: Omit<ProviderDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const create = useCreateProvider();
  const update = useUpdateProvider(row?.id ?? '');
  const form = useContractForm({
    initial: {
      title: row?.title ?? '',
      issuer: row?.issuer ?? '',
      clientId: row?.clientId ?? '',
      secret: '',
      levels: row?.levels ?? (['me'] as Level[]),
      AccountId: row?.account?.id ?? null,
      trustsSecondFactor: row?.trustsSecondFactor ?? false,
      isActive: row?.isActive ?? true,
      roles: groupRoleValues(row?.roles ?? []),
      groupsClaim: row?.groupsClaim ?? 'groups',
      isRequired: row?.isRequired ?? false,
    },
    isEdit: !!row,
    schema: row ? identityProviders.update.body : identityProviders.create.body,
    toBody: ({ issuer, AccountId, secret, roles, groupsClaim, isRequired, ...others }) => ({
      ...others,
      ...(AccountId && { roles: groupRolesOf(roles), groupsClaim, isRequired }),
      // The issuer and the account stay, and without a new secret that one, too.
      ...(!row && { issuer, AccountId }),
      ...((!row || secret) && { secret }),
    }),
    submit: (body) =>
      row
        ? update.mutateAsync(body)
        : create.mutateAsync(body as Parameters<typeof create.mutateAsync>[0]),
    onDone(_, { title }) {
      showSuccess(t('identityProviders:saved', { title: title.trim() }));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      footer={
        <FormFooter
          form={form}
          submit={t(row ? 'identityProviders:save' : 'identityProviders:createSubmit')}
          onCancel={onClose}
        />
      }
    >
      <TextInput
        {...form.text('title')}
        label={t('identityProviders:name')}
        description={t('identityProviders:nameHint')}
        required
        data-autofocus
        autoComplete="off"
      />
      <TextInput
        {...form.text('issuer')}
        {...plain}
        label={t('identityProviders:issuer')}
        description={t('identityProviders:issuerHint')}
        placeholder="https://login.example.com/"
        required={!row}
        disabled={!!row}
      />
      <TextInput
        {...form.text('clientId')}
        {...plain}
        label={t('identityProviders:clientId')}
        required
      />
      <SecretInput
        {...form.text('secret')}
        label={t('identityProviders:secret')}
        description={row && t('identityProviders:secretKept')}
        required={!row}
        autoComplete="new-password"
      />
      {!row && (
        <OwnerSelect
          {...form.field('AccountId')}
          value={form.values.AccountId}
          label={t('identityProviders:account')}
          description={t('identityProviders:accountHint')}
        />
      )}
      <Checkbox.Group {...form.field('levels')} label={t('identityProviders:levels')}>
        <Group gap="md" mt="xs">
          {LEVELS.map((value) => (
            <Checkbox key={value} value={value} label={t(`users:levels.${value}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      {form.values.AccountId && (
        <>
          <GroupRoleFields
            rows={form.values.roles}
            field={(path) => form.text(path)}
            onChange={(roles) => form.set({ roles })}
          />
          <Checkbox
            {...form.field('isRequired', { type: 'checkbox' })}
            label={t('identityProviders:isRequired')}
            description={t('identityProviders:isRequiredHint')}
          />
        </>
      )}
      <Checkbox
        {...form.field('trustsSecondFactor', { type: 'checkbox' })}
        label={t('identityProviders:trusts')}
        description={t('identityProviders:trustsHint')}
      />
      <Checkbox
        {...form.field('isActive', { type: 'checkbox' })}
        label={t('identityProviders:isActive')}
      />
    </ContractForm>
  );
}
