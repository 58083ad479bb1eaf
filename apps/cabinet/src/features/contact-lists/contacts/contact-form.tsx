import { CUSTOM_FIELDS, type Contact } from '@heliograph/contract';
import { Alert, Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../core/settings.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { useFormErrors } from '../../../core/use-form-errors.ts';
import { useKeepOpen } from '../../../core/forms/dialog-hold.ts';
import { useFieldName } from '../use-field-name.ts';
import {
  EDITED_FIELDS,
  phoneRule,
  readContact,
  TEXT_FIELDS,
  valuesOf,
  type Broken,
  type ContactValues,
  type EditedField,
} from './contact-values.ts';
import { useSaveContact } from './contacts.api.ts';

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
  const nameOf = useFieldName();
  const { sendings } = useSettings();
  const split = useFormErrors();
  const { mutate, isPending, error } = useSaveContact(listId, contact?.id);
  const [isChecking, setChecking] = useState(false);
  const isBusy = isChecking || isPending;
  useKeepOpen(isBusy);
  const [values, setValues] = useState(() =>
    contact ? valuesOf(contact) : { ...valuesOf(null), phone },
  );
  const [broken, setBroken] = useState<Broken>({});
  const [withCustoms, setWithCustoms] = useState(() =>
    CUSTOM_FIELDS.some((field) => contact?.[field]),
  );
  const { byField, rest } = error ? split(error, EDITED_FIELDS) : { byField: {}, rest: null };

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    setChecking(true);
    const read = await readWhole(values, sendings.country).finally(() => setChecking(false));
    setBroken('broken' in read ? read.broken : {});
    if ('broken' in read) {
      const [first] = Object.keys(read.broken);
      form.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
      return;
    }
    const onSuccess = () => {
      showSuccess(t('contactLists:contact.saved'));
      onClose();
    };
    mutate(read.changes, { onSuccess });
  };
  const field = (name: EditedField) => {
    const common = {
      name,
      label: nameOf(name),
      value: values[name],
      error: (broken[name] && t(`contactLists:rule.${broken[name]}`)) || byField[name],
      onChange: (event: { currentTarget: { value: string } }) => {
        const { value } = event.currentTarget;
        setValues((now) => ({ ...now, [name]: value }));
      },
    };
    if (name === 'gender') {
      return (
        <NativeSelect
          key={name}
          {...common}
          data={[
            { value: '', label: t('contactLists:gender.unknown') },
            { value: 'male', label: t('contactLists:gender.male') },
            { value: 'female', label: t('contactLists:gender.female') },
          ]}
        />
      );
    }
    return (
      <TextInput
        key={name}
        {...common}
        type={TYPES[name]}
        autoComplete="off"
        maxLength={500}
        placeholder={name === 'date' ? t('contactLists:contact.dateHint') : undefined}
        data-autofocus={name === 'phone' || undefined}
      />
    );
  };

  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate>
      <Stack>
        {rest && (
          <Alert color="red" role="alert">
            {rest}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {TEXT_FIELDS.map(field)}
        </SimpleGrid>
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
        <Group justify="flex-end">
          {onErase && (
            <Button variant="subtle" color="red.9" onClick={onErase} disabled={isBusy} mr="auto">
              {t('contactLists:contact.erase')}
            </Button>
          )}
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('contactLists:save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

async function readWhole(
  values: ContactValues,
  country: string,
): Promise<ReturnType<typeof readContact>> {
  const read = readContact(values);
  if ('broken' in read) return read;
  const rule = await phoneRule(read.changes.phone, country);
  return rule ? { broken: { phone: rule } } : read;
}
