import { CUSTOM_FIELDS, MAX_FIELD_TITLE, type NamedField } from '@heliograph/contract';
import { SimpleGrid, Skeleton, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { contactFieldsQuery } from '../../ui/use-field-name.ts';
import { useNameFields } from './contact-lists.api.ts';

interface ContactFieldsDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** What the account calls the additional fields of its contacts. */
export function ContactFieldsDialog({ opened, onClose }: ContactFieldsDialogProps) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...contactFieldsQuery(), enabled: opened });
  return (
    <Dialog opened={opened} onClose={onClose} title={t('contactLists:fields.title')} size={640}>
      {data ? <FieldsForm named={data.fields} onClose={onClose} /> : <Skeleton h={420} />}
    </Dialog>
  );
}

type Titles = Record<(typeof CUSTOM_FIELDS)[number], string>;

function FieldsForm({ named, onClose }: { named: NamedField[]; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useNameFields();
  const form = useContractForm({
    initial: Object.fromEntries(
      CUSTOM_FIELDS.map((field) => [field, named.find((one) => one.field === field)?.title ?? '']),
    ) as Titles,
    isEdit: true,
    check: doubled,
    toBody: (titles) => ({
      fields: CUSTOM_FIELDS.flatMap((field) => {
        const title = titles[field].trim();
        return title ? [{ field, title }] : [];
      }),
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('contactLists:fields.saved'));
      onClose();
    },
  });
  return (
    <ContractForm form={form} submit={t('contactLists:fields.submit')} onCancel={onClose}>
      <Text size="sm">{t('contactLists:fields.text')}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {CUSTOM_FIELDS.map((field, index) => (
          <TextInput
            key={field}
            {...form.field(field)}
            label={t('contactLists:customField', { number: index + 1 })}
            maxLength={MAX_FIELD_TITLE}
            autoComplete="off"
            data-autofocus={index === 0 || undefined}
          />
        ))}
      </SimpleGrid>
    </ContractForm>
  );
}

/** Names that another field above has. */
function doubled(titles: Titles): Partial<Titles> {
  const seen = new Set<string>();
  return Object.fromEntries(
    CUSTOM_FIELDS.flatMap((field) => {
      const title = titles[field].trim().toLowerCase();
      if (title && seen.has(title)) return [[field, 'unique']];
      seen.add(title);
      return [];
    }),
  );
}
