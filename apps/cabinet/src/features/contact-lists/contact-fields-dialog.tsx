import {
  CUSTOM_FIELDS,
  MAX_CHOICE_VALUES,
  MAX_FIELD_TITLE,
  type NamedField,
} from '@heliograph/contract';
import { FIELD_TYPES, type FieldType } from '@heliograph/domain';
import {
  NativeSelect,
  SimpleGrid,
  Skeleton,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { contactFieldsQuery } from '../../ui/use-field-name.ts';
import { fieldCheckQuery, useNameFields } from './contact-lists.api.ts';

interface ContactFieldsDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** What the account calls the additional fields of its contacts, and which values they have. */
export function ContactFieldsDialog({ opened, onClose }: ContactFieldsDialogProps) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...contactFieldsQuery(), enabled: opened });
  return (
    <Dialog opened={opened} onClose={onClose} title={t('contactLists:fields.title')} size={600}>
      {data ? <FieldsForm named={data.fields} onClose={onClose} /> : <Skeleton h={420} />}
    </Dialog>
  );
}

type CustomField = (typeof CUSTOM_FIELDS)[number];
type Titles = Record<CustomField, string>;

interface FieldValues extends Titles {
  types: Record<CustomField, FieldType>;
  choices: Record<CustomField, string[]>;
}

function FieldsForm({ named, onClose }: { named: NamedField[]; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useNameFields();
  const before = (field: CustomField) => named.find((one) => one.field === field);
  const ofEach = <T,>(valueOf: (field: CustomField) => T) =>
    Object.fromEntries(CUSTOM_FIELDS.map((field) => [field, valueOf(field)])) as Record<
      CustomField,
      T
    >;
  const form = useContractForm({
    initial: {
      ...ofEach((field) => before(field)?.title ?? ''),
      types: ofEach((field): FieldType => before(field)?.type ?? 'text'),
      choices: ofEach((field) => before(field)?.values ?? []),
    } as FieldValues,
    isEdit: true,
    check: broken,
    toBody: (values) => ({ fields: namedOf(values) }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('contactLists:fields.saved'));
      onClose();
    },
  });
  const { types, choices } = form.values;
  return (
    <ContractForm form={form} submit={t('contactLists:fields.submit')} onCancel={onClose}>
      <Text size="sm">{t('contactLists:fields.text')}</Text>
      {CUSTOM_FIELDS.map((field, index) => {
        const label = t('contactLists:customField', { number: index + 1 });
        const isNamed = !!form.values[field].trim();
        const type = types[field];
        return (
          <Stack key={field} gap={4}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing={4}>
              <TextInput
                {...form.field(field)}
                label={label}
                maxLength={MAX_FIELD_TITLE}
                autoComplete="off"
                data-autofocus={index === 0 || undefined}
              />
              {isNamed && (
                <NativeSelect
                  {...form.field(`types.${field}`)}
                  label={t('contactLists:fields.type')}
                  aria-label={`${t('contactLists:fields.type')}: ${label}`}
                  data={FIELD_TYPES.map((value) => ({
                    value,
                    label: t(`contactLists:fields.types.${value}`),
                  }))}
                />
              )}
            </SimpleGrid>
            {isNamed && type === 'choice' && (
              <TagsInput
                {...form.field(`choices.${field}`)}
                label={t('contactLists:fields.values')}
                aria-label={`${t('contactLists:fields.values')}: ${label}`}
                description={t('contactLists:fields.valuesHint')}
                splitChars={['\n']}
                maxTags={MAX_CHOICE_VALUES}
                acceptValueOnBlur
                autoComplete="off"
              />
            )}
            {isNamed && (
              <Misfits field={field} type={type} values={choices[field]} before={before(field)} />
            )}
          </Stack>
        );
      })}
    </ContractForm>
  );
}

interface MisfitsProps {
  field: CustomField;
  type: FieldType;
  values: string[];
  before: NamedField | undefined;
}

/** How many values that contacts have already would not fit a type that a field did not have before. */
function Misfits({ field, type, values, before }: MisfitsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const own = type === 'choice' ? values : [];
  const [asked] = useDebouncedValue(own, 300);
  const isNew = (before?.type ?? 'text') !== type || before?.values.join('\n') !== own.join('\n');
  const isAsked = type !== 'text' && isNew && (type !== 'choice' || asked.length > 0);
  const { data } = useQuery({
    ...fieldCheckQuery({ field, type, values: type === 'choice' ? asked : [] }),
    enabled: isAsked && can('contacts.get'),
  });
  const numbers = data && {
    number: formats.number(data.misfits),
    total: formats.number(data.filled),
  };
  return (
    <Text size="xs" c="dimmed" role="status">
      {isAsked &&
        numbers &&
        data.filled > 0 &&
        t(data.misfits ? 'contactLists:fields.misfits' : 'contactLists:fields.allFit', numbers)}
    </Text>
  );
}

const namedOf = ({ types, choices, ...titles }: FieldValues) =>
  CUSTOM_FIELDS.flatMap((field) => {
    const title = titles[field].trim();
    const type = types[field];
    return title ? [{ field, title, type, values: type === 'choice' ? choices[field] : [] }] : [];
  });

/** Names that another field above has, and choices without values. */
function broken(values: FieldValues): Record<string, string> {
  const seen = new Set<string>();
  return Object.fromEntries(
    namedOf(values).flatMap(({ field, title, type, values: own }) => {
      const key = title.toLowerCase();
      const isDoubled = seen.has(key);
      seen.add(key);
      return [
        ...(isDoubled ? [[field, 'unique']] : []),
        ...(type === 'choice' && !own.length ? [[`choices.${field}`, 'required']] : []),
      ];
    }),
  );
}
