import type { Contact } from '@heliograph/contract';
import type { TypedField } from '@heliograph/domain';
import { NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, fieldText } from '../../../core/errors.ts';
import { useSettings } from '../../../core/settings.ts';
import { phoneRule, readField, type EditedField } from './contact-values.ts';
import { useSaveContact } from './contacts.api.ts';
import { choicesOf } from './field-choices.ts';

interface EditableCellProps {
  row: Contact;
  field: EditedField;
  /** Of the field. */
  name: string;
  /** Of a named field. */
  type?: TypedField;
}

/** A cell that is written in. It saves when it is left or Enter is pressed; Escape takes the old value back. */
export function EditableCell({ row, field, name, type }: EditableCellProps) {
  const { t } = useTranslation();
  const { sendings } = useSettings();
  const { mutate, variables, error, isPending, reset } = useSaveContact(row.ListId, row.id);
  const kept = row[field] ?? '';
  const [typed, setTyped] = useState(kept);
  const [rule, setRule] = useState<string | null>(null);
  useEffect(() => {
    setTyped(kept);
    reset();
  }, [kept, reset]);

  const save = async (text: string) => {
    // It may be from a time before the field had its type.
    if (text === kept) return setRule(null);
    const read = readField(field, text, type);
    if (!('rule' in read) && (read.value ?? '') === kept) return setRule(null);
    const broken =
      'rule' in read
        ? read.rule
        : field === 'phone'
          ? await phoneRule(read.value, sendings.country)
          : null;
    setRule(broken);
    if (broken || !('value' in read)) return;
    // The list has not been read again since.
    const isSaved = !error && variables?.[field] === read.value;
    if (!isSaved) mutate({ [field]: read.value });
  };
  const change = (text: string) => {
    setTyped(text);
    setRule(null);
    if (error) reset();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save(typed);
    if (event.key === 'Escape') change(kept);
  };
  const refusal = error ? fieldText(t, fieldErrors(error)) || errorText(t, error) : null;
  const common = {
    'aria-label': t('contactLists:contact.editField', {
      field: name,
      contact: row.phone ?? row.email,
    }),
    size: 'xs',
    value: typed,
    error: rule ? t(`contactLists:rule.${rule}`) : refusal,
    disabled: isPending,
    'data-field': field,
  };
  const choices =
    field === 'gender'
      ? [
          { value: '', label: '—' },
          { value: 'male', label: t('contactLists:gender.male') },
          { value: 'female', label: t('contactLists:gender.female') },
        ]
      : choicesOf(t, type, kept);
  if (choices) {
    return (
      <NativeSelect
        {...common}
        onChange={(event) => {
          change(event.currentTarget.value);
          void save(event.currentTarget.value);
        }}
        data={choices}
      />
    );
  }
  return (
    <TextInput
      {...common}
      maxLength={500}
      inputMode={type?.type === 'number' ? 'decimal' : undefined}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => void save(typed)}
      onKeyDown={onKeyDown}
    />
  );
}
