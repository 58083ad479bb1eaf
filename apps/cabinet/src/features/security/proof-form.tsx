import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { CodeInput } from '../../ui/code-input.tsx';

interface ProofFormProps<R> {
  /** What happens then. */
  text: string;
  submit: string;
  change: { mutateAsync: (proof: { password: string; code: string }) => Promise<R> };
  onDone: (result: R) => void;
  onCancel: () => void;
}

/** Password and code, which changes of the second factor need. */
export function ProofForm<R>({ text, submit, change, onDone, onCancel }: ProofFormProps<R>) {
  const { t } = useTranslation();
  const form = useContractForm({
    initial: { password: '', code: '' },
    check: ({ password, code }) => ({
      password: !password && 'required',
      code: !code.trim() && 'required',
    }),
    submit: change.mutateAsync,
    onDone,
  });
  const footer = <FormFooter form={form} submit={submit} onCancel={onCancel} />;
  return (
    <ContractForm form={form} footer={footer}>
      <Text size="sm">{text}</Text>
      <SecretInput
        {...form.field('password')}
        label={t('security:password')}
        autoComplete="current-password"
        data-autofocus
      />
      <CodeInput {...form.field('code')} label={t('security:anyCode')} takesRecovery />
    </ContractForm>
  );
}
