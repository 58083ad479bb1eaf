import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { contactOf } from './requisite-values.ts';
import { RequisitePhone } from './requisite-phone.tsx';
import type { RequisiteFormState } from './use-requisite-form.ts';

/** The contact person, who may be the one of the profile. */
export function ContactFields({ form }: { form: RequisiteFormState }) {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const { contact } = form.values;
  const own = me && contactOf(me);
  const isOwn =
    !!own &&
    own.lastName + own.firstName !== '' &&
    Object.entries(own).every(([name, value]) => contact[name as keyof typeof own] === value);
  return (
    <>
      {own && (
        <Checkbox
          label={t('requisites:contactIsOwn')}
          checked={isOwn}
          onChange={({ currentTarget }) =>
            form.set({
              contact: currentTarget.checked
                ? { ...contact, ...own }
                : { lastName: '', firstName: '', middleName: '', phone: '', email: '' },
            })
          }
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          {...form.field('contact.lastName')}
          label={t('requisites:lastName')}
          required
          maxLength={60}
        />
        <TextInput
          {...form.field('contact.firstName')}
          label={t('requisites:firstName')}
          required
          maxLength={60}
        />
        <TextInput
          {...form.field('contact.middleName')}
          label={t('requisites:middleName')}
          maxLength={60}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <RequisitePhone field={form.field('contact.phone')} required />
        <TextInput
          {...form.field('contact.email')}
          type="email"
          label={t('requisites:email')}
          required
          maxLength={254}
        />
      </SimpleGrid>
    </>
  );
}
