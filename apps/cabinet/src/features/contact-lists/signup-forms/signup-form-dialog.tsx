import {
  contactLists,
  CUSTOM_FIELDS,
  MAX_SIGNUP_CONSENT,
  MAX_SIGNUP_TEXT,
  SIGNUP_LINK,
  SIGNUP_TYPES,
  signupForms,
  type ContactList,
  type SignupField,
  type SignupForm,
} from '@heliograph/contract';
import { MAX_TAG_LENGTH, MAX_TAGS } from '@heliograph/domain';
import {
  Anchor,
  Checkbox,
  Fieldset,
  MultiSelect,
  NativeSelect,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { countries } from '../../../core/countries.ts';
import { ContractForm } from '../../../core/forms/contract-form.tsx';
import { FormFooter } from '../../../core/forms/form-footer.tsx';
import { useContractForm } from '../../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../../core/settings.ts';
import { showSuccess } from '../../../core/toast.tsx';
import type { OptionSource } from '../../../ui/async-options.ts';
import { AsyncSelect } from '../../../ui/async-select.tsx';
import { CodePane } from '../../../ui/code-pane.tsx';
import { RowDialog } from '../../../ui/row-dialog.tsx';
import { contactFieldsQuery, useFieldName } from '../../../ui/use-field-name.ts';
import {
  signupFormQuery,
  useCreateSignupForm,
  useUpdateSignupForm,
  type SignupFormDraft,
} from './signup-forms.api.ts';

const NAMES = ['firstName', 'middleName', 'lastName'] as const;

export function SignupFormDialog() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={signupFormQuery}
      mayCreate={can('signupForms.create')}
      size={600}
      createTitle={t('signupForms:create')}
      title={(row) => row?.title ?? t('signupForms:detail')}
      failed={t('signupForms:detailFailed')}
    >
      {(row, onClose) => (
        <Stack key={row?.id}>
          {row && <Embedding row={row} />}
          <SignupFormForm
            row={row}
            readOnly={!!row && !can('signupForms.update')}
            onClose={onClose}
          />
        </Stack>
      )}
    </RowDialog>
  );
}

interface SignupFormValues {
  title: string;
  isActive: boolean;
  ListId: string | null;
  type: SignupForm['type'];
  sender: string;
  text: string;
  fields: SignupField[];
  required: SignupField[];
  tags: string[];
  consent: string;
  returnUrl: string;
  /** One in a line. */
  origins: string;
  countries: string[];
}

function bodyOf(values: SignupFormValues, isNew: boolean): SignupFormDraft {
  const { type, fields, required, returnUrl, origins, countries: some, ...rest } = values;
  return {
    ...rest,
    ...(isNew && { type }),
    title: rest.title.trim(),
    sender: rest.sender.trim(),
    fields: fields.map((field) => ({ field, isRequired: required.includes(field) })),
    returnUrl: returnUrl.trim() || null,
    origins: origins.split(/\s+/).filter(Boolean),
    countries: some.length ? some : null,
    // An empty field is refused beside it, and a type that is left out cannot be changed.
  } as SignupFormDraft;
}

interface SignupFormFormProps {
  row: SignupForm | null;
  readOnly: boolean;
  onClose: () => void;
}

function SignupFormForm({ row, readOnly, onClose }: SignupFormFormProps) {
  const { t, i18n } = useTranslation();
  const can = useCan();
  const { session } = useSettings();
  const OwnerId = row?.OwnerId ?? session.OwnerId;
  const create = useCreateSignupForm();
  const update = useUpdateSignupForm(row?.id ?? '');
  const nameOf = useFieldName(OwnerId);
  const { data: named } = useQuery({
    ...contactFieldsQuery(OwnerId),
    enabled: can('contactLists.get'),
  });
  const form = useContractForm({
    initial: {
      title: row?.title ?? '',
      isActive: row?.isActive ?? true,
      ListId: row?.ListId ?? null,
      type: row?.type ?? 'email',
      sender: row?.sender ?? '',
      text: row?.text ?? t('signupForms:defaultText', { link: SIGNUP_LINK }),
      fields: row?.fields.map(({ field }) => field) ?? ['firstName'],
      required: row?.fields.flatMap((one) => (one.isRequired ? one.field : [])) ?? [],
      tags: row?.tags ?? [],
      consent: row?.consent ?? '',
      returnUrl: row?.returnUrl ?? '',
      origins: row?.origins.join('\n') ?? '',
      countries: row?.countries ?? [],
    } satisfies SignupFormValues as SignupFormValues,
    schema: row ? signupForms.update.body : signupForms.create.body,
    isEdit: !!row,
    toBody: (values) => bodyOf(values, !row),
    blockedBy: ({ text }) =>
      text.split(SIGNUP_LINK).length !== 2 && t('signupForms:linkMissing', { link: SIGNUP_LINK }),
    submit: (body) => (row ? update.mutateAsync(body) : create.mutateAsync(body)),
    onDone(_, { title }) {
      showSuccess(t('signupForms:saved', { title: title.trim() }));
      onClose();
    },
  });
  const { values } = form;
  const regions = useMemo(
    () => countries(i18n.language).map(({ iso, name }) => ({ value: iso, label: name })),
    [i18n.language],
  );
  const offered = useMemo(() => {
    const own = new Set<string>([
      ...NAMES,
      ...(named?.fields ?? []).map(({ field }) => field),
      ...values.fields,
    ]);
    return [...NAMES, ...CUSTOM_FIELDS].filter((field) => own.has(field));
  }, [named, values.fields]);
  return (
    <ContractForm
      form={form}
      readOnly={readOnly}
      footer={
        <FormFooter
          form={form}
          submit={t(row ? 'signupForms:save' : 'signupForms:create')}
          onCancel={onClose}
        />
      }
    >
      <TextInput
        {...form.text('title')}
        label={t('signupForms:name')}
        description={t('signupForms:nameHint')}
        required
        autoComplete="off"
        data-autofocus
      />
      <Switch
        {...form.field('isActive', { type: 'checkbox' })}
        label={t('signupForms:isActive')}
        description={t('signupForms:isActiveHint')}
      />
      <AsyncSelect
        {...form.field('ListId')}
        source={listSource(OwnerId)}
        value={values.ListId}
        label={t('signupForms:list')}
        empty={t('signupForms:noLists')}
        required
        disabled={!can('contactLists.get')}
      />
      <Fieldset legend={t('signupForms:confirmation')}>
        <Stack gap="sm">
          <NativeSelect
            {...form.field('type')}
            label={t('signupForms:type')}
            description={t('signupForms:typeHint')}
            disabled={!!row || readOnly}
            data={SIGNUP_TYPES.map((value) => ({ value, label: t(`common:type.${value}`) }))}
          />
          <TextInput
            {...form.text('sender')}
            label={t('signupForms:sender')}
            required
            autoComplete="off"
            spellCheck={false}
          />
          <Textarea
            {...form.field('text')}
            label={t('signupForms:text')}
            description={t('signupForms:textHint', { link: SIGNUP_LINK })}
            required
            autosize
            minRows={2}
            maxRows={8}
            maxLength={MAX_SIGNUP_TEXT}
          />
          {values.type === 'sms' && (
            <MultiSelect
              {...form.field('countries')}
              label={t('signupForms:countries')}
              description={t('signupForms:countriesHint')}
              data={regions}
              searchable
              clearable
              comboboxProps={{ withinPortal: false }}
            />
          )}
        </Stack>
      </Fieldset>
      <MultiSelect
        {...form.field('fields')}
        label={t('signupForms:fields')}
        description={t('signupForms:fieldsHint')}
        data={offered.map((value) => ({ value, label: nameOf(value) }))}
        clearable
        comboboxProps={{ withinPortal: false }}
      />
      {values.fields.length > 0 && (
        <Checkbox.Group
          label={t('signupForms:required')}
          value={values.required}
          onChange={(required) => form.set({ required: required as SignupField[] })}
        >
          <Stack gap="xs" mt="xs">
            {values.fields.map((field) => (
              <Checkbox key={field} value={field} label={nameOf(field)} disabled={readOnly} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <TagsInput
        {...form.field('tags')}
        label={t('signupForms:tags')}
        description={t('signupForms:tagsHint')}
        maxTags={MAX_TAGS}
        maxLength={MAX_TAG_LENGTH}
        comboboxProps={{ withinPortal: false }}
      />
      <Textarea
        {...form.field('consent')}
        label={t('signupForms:consent')}
        description={t('signupForms:consentHint')}
        required
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_SIGNUP_CONSENT}
      />
      <TextInput
        {...form.text('returnUrl')}
        label={t('signupForms:returnUrl')}
        description={t('signupForms:returnUrlHint')}
        placeholder="https://"
        autoComplete="off"
        spellCheck={false}
      />
      <Textarea
        {...form.field('origins')}
        label={t('signupForms:origins')}
        description={t('signupForms:originsHint')}
        placeholder="https://shop.example"
        autosize
        minRows={1}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
      />
    </ContractForm>
  );
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Where people find the form: its page, and what goes into a page of the account. */
function Embedding({ row: { url, title, origins } }: { row: SignupForm }) {
  const { t } = useTranslation();
  const frame = `<iframe src="${url}" title="${attribute(title)}" width="100%" height="640" style="border: 0"></iframe>`;
  return (
    <Stack gap="sm">
      <Text size="sm">
        <Anchor href={url} target="_blank" rel="noopener" inherit>
          {t('signupForms:open')}
        </Anchor>
      </Text>
      <CodePane label={t('signupForms:page')} hint={t('signupForms:pageHint')} code={url} />
      {origins.length > 0 && (
        <CodePane label={t('signupForms:frame')} hint={t('signupForms:frameHint')} code={frame} />
      )}
    </Stack>
  );
}

const listSource = (OwnerId: string): OptionSource<ContactList> => ({
  noun: 'contactLists',
  params: ['signupForms', OwnerId],
  find: ({ limit, search }, signal) =>
    api(contactLists.find, {
      query: {
        limit,
        search,
        order: [{ field: 'title', direction: 'asc' }],
        filter: { OwnerId, type: ['regular'] },
      },
      signal,
    }),
  get: (id, signal) => api(contactLists.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});
