import { UserUpdate, type User } from '@heliograph/contract';
import { isReferralCode } from '@heliograph/domain';
import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { useUpdateProfile } from '../account/account.api.ts';

/** Sets the code; links with a former code no longer lead to the account. */
export function CodeForm({ me }: { me: User }) {
  const { t } = useTranslation();
  const { mutateAsync } = useUpdateProfile(me.id);
  const form = useContractForm({
    initial: { referralCode: me.referralCode ?? '' },
    schema: UserUpdate,
    isEdit: true,
    check: ({ referralCode }) => ({
      referralCode: !isReferralCode(referralCode.trim()) && 'referral_code',
    }),
    toBody: ({ referralCode }) => ({ referralCode: referralCode.trim() }),
    blockedBy: ({ referralCode }) => !referralCode.trim() && t('referrals:code.required'),
    // The saved code is the key of the form, which is drawn anew with it before it could say anything.
    async submit(body) {
      await mutateAsync(body);
      showSuccess(t('referrals:code.saved'));
    },
  });
  const footer = (
    <FormFooter form={form} submit={t('referrals:code.save')}>
      {!me.referralCode && (
        <Button variant="default" onClick={() => form.set({ referralCode: randomCode() })}>
          {t('referrals:code.suggest')}
        </Button>
      )}
    </FormFooter>
  );
  return (
    <ContractForm form={form} footer={footer}>
      <TextInput
        {...form.field('referralCode')}
        label={t('referrals:code.label')}
        description={t('referrals:code.hint')}
        required
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
      />
    </ContractForm>
  );
}

/** Without characters that look alike. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/** A code that nobody can guess from the username. */
const randomCode = (): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(LENGTH)),
    (byte) => ALPHABET[byte % ALPHABET.length],
  ).join('');
