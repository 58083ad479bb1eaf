import { CUSTOM_FIELDS, type Contact } from '@heliograph/contract';
import { MAX_TAG_LENGTH, MAX_TAGS } from '@heliograph/domain';
import { Button, NativeSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../../core/forms/contract-form.tsx';
import { FormFooter } from '../../../core/forms/form-footer.tsx';
import { useContractForm } from '../../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../../core/settings.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { useFieldName, useNamedField } from '../../../ui/use-field-name.ts';
import { contactListQuery } from '../contact-lists.api.ts';
import {
  phoneRule,
  readContact,
  TEXT_FIELDS,
  valuesOf,
  type EditedField,
} from './contact-values.ts';
import { useSaveContact } from './contacts.api.ts';
import { choicesOf } from './field-choices.ts';

interface ContactFormProps {
  listId: string;
  contact: Contact | null;
  /** Of a new one, as it was looked for. */
  phone?: string;
  onErase?: () => void;
  onClose: () => void;
}

const TYPES: Partial<Record<EditedField, string>> = { phone: 'tel', email: 'email' };

export function ContactForm({ listId, contact, phone = '', onErase, onClose }: ContactFormProps) {
  const { t } = useTranslation();
  const { data: list } = useQuery(contactListQuery(listId));
  const nameOf = useFieldName(list?.OwnerId);
  const typeOf = useNamedField(list?.OwnerId);
  const { sendings } = useSettings();
  const { mutateAsync } = useSaveContact(listId, contact?.id);
  const [withCustoms, setWithCustoms] = useState(() =>
    CUSTOM_FIELDS.some((field) => contact?.[field]),
  );
  const form = useContractForm({
    initial: {
      ...valuesOf(contact),
      ...(!contact && { phone }),
      tags: contact?.tags ?? [],
    },
    isEdit: !!contact,
    async check(values) {
      const read = await readWhole(readContact(values, typeOf, contact), sendings.country);
      const broken = 'broken' in read ? Object.entries(read.broken) : [];
      return Object.fromEntries(
        broken.map(([name, rule]) => [name, t(`contactLists:rule.${rule}`)]),
      );
    },
    toBody(values) {
      const read = readContact(values, typeOf, contact);
      return 'changes' in read ? { ...read.changes, tags: values.tags } : {};
    },
    submit: mutateAsync,
    onDone() {
      showSuccess(t('contactLists:contact.saved'));
      onClose();
    },
  });
  const field = (name: EditedField) => {
    const type = typeOf(name);
    const choices =
      name === 'gender'
        ? [
            { value: '', label: t('contactLists:gender.unknown') },
            { value: 'male', label: t('contactLists:gender.male') },
            { value: 'female', label: t('contactLists:gender.female') },
          ]
        : choicesOf(t, type, contact?.[name] ?? '');
    const isDate = name === 'date' || type?.type === 'date';
    return choices ? (
      <NativeSelect key={name} {...form.field(name)} label={nameOf(name)} data={choices} />
    ) : (
      <TextInput
        key={name}
        {...form.field(name)}
        label={nameOf(name)}
        type={TYPES[name]}
        inputMode={type?.type === 'number' ? 'decimal' : undefined}
        autoComplete="off"
        maxLength={500}
        placeholder={isDate ? t('contactLists:contact.dateHint') : undefined}
        data-autofocus={name === 'phone' || undefined}
      />
    );
  };
  const erase = onErase && (
    <Button variant="subtle" color="red.9" onClick={onErase} disabled={form.isPending}>
      {t('contactLists:contact.erase')}
    </Button>
  );
  return (
    <ContractForm
      form={form}
      footer={
        <FormFooter form={form} submit={t('contactLists:save')} onCancel={onClose}>
          {erase}
        </FormFooter>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {TEXT_FIELDS.map(field)}
      </SimpleGrid>
      <TagsInput
        {...form.field('tags')}
        label={t('contactLists:contact.tags')}
        description={t('contactLists:contact.tagsHint')}
        splitChars={[',', ';', '\n']}
        maxTags={MAX_TAGS}
        maxLength={MAX_TAG_LENGTH}
        acceptValueOnBlur
        autoComplete="off"
      />
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={withCustoms}
          onClick={() => setWithCustoms((on) => !on)}
        >
          {t(withCustoms ? 'contactLists:contact.lessFields' : 'contactLists:contact.moreFields')}
        </Button>
      </div>
      {withCustoms && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {CUSTOM_FIELDS.map(field)}
        </SimpleGrid>
      )}
    </ContractForm>
  );
}

async function readWhole(
  read: ReturnType<typeof readContact>,
  country: string,
): Promise<ReturnType<typeof readContact>> {
  if ('broken' in read) return read;
  const rule = await phoneRule(read.changes.phone, country);
  return rule ? { broken: { phone: rule } } : read;
}
