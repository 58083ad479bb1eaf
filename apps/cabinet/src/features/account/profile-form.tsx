import { UserUpdate, type User } from '@heliograph/contract';
import { SimpleGrid, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { PhoneField } from '../../ui/phone-field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { useUpdateProfile } from './account.api.ts';
import {
  changesIdentity,
  invalidField,
  profileBody,
  profileValues,
  type ProfileValues,
} from './profile-values.ts';

/** In an impersonated session the e-mail and the phone are shown and cannot be changed. */
export function ProfileForm({ me, isImpersonated }: { me: User; isImpersonated: boolean }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { recovery: isMailOn } = useSettings().frontend;
  const { mutateAsync } = useUpdateProfile(me.id);
  const form = useContractForm({
    initial: profileValues(me),
    schema: UserUpdate,
    names: Object.fromEntries(
      ['firstName', 'lastName', 'email', 'phone', 'country'].map((name) => [`data.${name}`, name]),
    ),
    isEdit: true,
    toBody: (values) => profileBody(values, me),
    blockedBy: (values) => {
      const field = invalidField(values, me);
      return field && t('account:profile.invalid', { field: t(`account:profile.${field}`) });
    },
    submit: mutateAsync,
    onDone(saved, values) {
      // Rows are fetched again by now: what waits for its confirmation is not the value of the field.
      form.restart(profileValues(client.getQueryData(meQuery.queryKey) ?? saved));
      showSuccess(
        t(changesIdentity(values, me) ? 'account:profile.pending' : 'account:profile.saved'),
      );
    },
  });
  // What was changed elsewhere is shown, unless something is being changed here.
  const stored = JSON.stringify(profileValues(me));
  const { restart, isDirty } = form;
  const latest = useRef(restart);
  useEffect(() => {
    latest.current = restart;
  });
  const shown = useRef(stored);
  useEffect(() => {
    if (shown.current === stored) return;
    shown.current = stored;
    if (!isDirty()) latest.current(JSON.parse(stored) as ProfileValues);
  }, [stored, isDirty]);
  const { values } = form;
  const phone = form.field('phone');
  const isProofNeeded = !isImpersonated && changesIdentity(values, me);
  return (
    <ContractForm
      form={form}
      label={t('account:profile.title')}
      submit={t('account:profile.submit')}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          {...form.field('firstName')}
          label={t('account:profile.firstName')}
          autoComplete="given-name"
          maxLength={100}
        />
        <TextInput
          {...form.field('lastName')}
          label={t('account:profile.lastName')}
          autoComplete="family-name"
          maxLength={100}
        />
      </SimpleGrid>
      <TextInput
        {...form.field('email')}
        type="email"
        label={t('account:profile.email')}
        description={isMailOn ? t('account:profile.emailHint') : t('errors:code.mail_off')}
        autoComplete="email"
        maxLength={254}
        disabled={isImpersonated || !isMailOn}
      />
      <PhoneField
        country={values.country}
        phone={values.phone}
        label={t('account:profile.phone')}
        required={false}
        disabled={isImpersonated}
        error={phone.error}
        data-path="phone"
        onChange={(patch) => form.set(patch)}
      />
      {isProofNeeded && (
        <SecretInput
          {...form.field('password')}
          label={t('account:profile.password')}
          description={t('account:profile.passwordHint')}
          autoComplete="current-password"
          maxLength={150}
        />
      )}
      <ReferralFields form={form} me={me} />
    </ContractForm>
  );
}

interface ReferralFieldsProps {
  form: { field: (path: string) => object };
  me: User;
}

/** The code that customers register with, for resellers and above; the used one was taken at the registration. */
function ReferralFields({ form, me }: ReferralFieldsProps) {
  const { t } = useTranslation();
  const used = me.data.meta?.usedReferralCode;
  return (
    <>
      {me.level !== 'me' && (
        <TextInput
          {...form.field('referralCode')}
          label={t('account:profile.referralCode')}
          description={t('account:profile.referralCodeHint')}
          autoComplete="off"
          maxLength={40}
        />
      )}
      {used && (
        <TextInput
          label={t('account:profile.usedReferralCode')}
          description={t('account:profile.usedReferralCodeHint')}
          value={used}
          readOnly
        />
      )}
    </>
  );
}
