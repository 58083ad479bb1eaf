import { SendingType, type Pattern, type TrafficGroup } from '@heliograph/contract';
import { isTemplate, TRAFFIC_GROUPS } from '@heliograph/domain';
import {
  Alert,
  Button,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleText } from '../../core/errors.ts';
import { useSeesOwners } from '../../core/owners.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { OwnerSelect } from '../../ui/owner-select.tsx';
import { useCreatePattern, useUpdatePattern } from './patterns.api.ts';

interface PatternFormProps {
  row: Pattern | null;
  readOnly: boolean;
  onClose: () => void;
}

const FIELDS = ['OwnerId', 'title', 'type', 'text', 'group', 'sender', 'mccmnc'];

/** Registers a pattern for an account, or changes it: the account stays. */
export function PatternForm({ row, readOnly, onClose }: PatternFormProps) {
  const { t } = useTranslation();
  const seesOwners = useSeesOwners();
  const split = useFormErrors();
  const create = useCreatePattern();
  const update = useUpdatePattern(row?.id ?? '');
  const [OwnerId, setOwner] = useState(row?.OwnerId ?? null);
  const [values, setValues] = useState({
    title: row?.title ?? '',
    type: row?.type ?? ('sms' as SendingType),
    text: row?.text ?? '',
    group: row?.group ?? ('service' as TrafficGroup),
    sender: row?.sender ?? '',
    mccmnc: row?.mccmnc ?? '',
  });
  const [isAsked, setAsked] = useState(false);
  const isPending = create.isPending || update.isPending;
  useKeepOpen(isPending);
  const failure = create.error ?? update.error;
  const { byField, rest } = failure ? split(failure, FIELDS) : { byField: {}, rest: null };
  const set = (patch: Partial<typeof values>) => setValues((now) => ({ ...now, ...patch }));
  const broken: Record<string, string | false> = {
    OwnerId: !OwnerId && 'required',
    title: !values.title.trim() && 'required',
    text: values.text.trim() ? !isTemplate(values.text) && 'template' : 'required',
  };
  const errorOf = (field: string) =>
    (isAsked && broken[field] && ruleText(t, broken[field])) || byField[field];
  const field = (name: 'title' | 'text' | 'sender' | 'mccmnc') => ({
    name,
    label: t(`patterns:${name === 'title' ? 'name' : name === 'mccmnc' ? 'network' : name}`),
    value: values[name],
    error: errorOf(name),
    autoComplete: 'off',
    spellCheck: false,
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    const first = Object.keys(broken).find((name) => broken[name]);
    if (first || !OwnerId) {
      event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
      return;
    }
    const onSuccess = () => {
      showSuccess(t('patterns:saved', { title: values.title.trim() }));
      onClose();
    };
    const body = {
      ...values,
      title: values.title.trim(),
      sender: values.sender.trim() || null,
      mccmnc: values.mccmnc.trim() || null,
    };
    if (row) update.mutate(body, { onSuccess });
    else create.mutate({ ...body, OwnerId }, { onSuccess });
  };

  return (
    <form onSubmit={onSubmit} noValidate>
      <Fieldset variant="unstyled" disabled={readOnly || isPending}>
        <Stack>
          {rest && (
            <Alert color="red" role="alert">
              {rest}
            </Alert>
          )}
          {seesOwners && (
            <OwnerSelect
              name="OwnerId"
              label={t('patterns:owner')}
              required={!row}
              disabled={!!row}
              value={OwnerId}
              onChange={setOwner}
              error={errorOf('OwnerId')}
            />
          )}
          <TextInput
            {...field('title')}
            required
            maxLength={50}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('patterns:type')}
            value={values.type}
            onChange={(event) => set({ type: event.currentTarget.value as SendingType })}
            data={SendingType.options.map((value) => ({
              value,
              label: t(`common:type.${value}`),
            }))}
            error={byField.type}
          />
          <Textarea
            {...field('text')}
            description={t('patterns:textHint')}
            required
            autosize
            minRows={3}
            maxLength={5000}
            onChange={(event) => set({ text: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('patterns:group')}
            description={t('patterns:groupHint')}
            value={values.group}
            onChange={(event) => set({ group: event.currentTarget.value as TrafficGroup })}
            data={TRAFFIC_GROUPS.map((value) => ({ value, label: t(`common:group.${value}`) }))}
            error={byField.group}
          />
          <TextInput
            {...field('sender')}
            description={t('patterns:senderHint')}
            maxLength={150}
            onChange={(event) => set({ sender: event.currentTarget.value })}
          />
          <TextInput
            {...field('mccmnc')}
            description={t('patterns:networkHint')}
            maxLength={6}
            onChange={(event) => set({ mccmnc: event.currentTarget.value })}
          />
        </Stack>
      </Fieldset>
      {!readOnly && (
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t(row ? 'patterns:save' : 'patterns:createSubmit')}
          </Button>
        </Group>
      )}
    </form>
  );
}
