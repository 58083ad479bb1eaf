import { SendernameType, type Sendername } from '@heliograph/contract';
import {
  composeComment,
  parseComment,
  senderCommentErrors,
  senderNameErrors,
} from '@heliograph/domain';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  Radio,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState, type ChangeEvent, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleText } from '../../core/errors.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { NameRules } from './name-rules.tsx';
import { useCreateSendername, useUpdateSendername } from './sendernames.api.ts';

interface SendernameFormProps {
  row: Sendername | null;
  type?: string;
  onClose: () => void;
}

const FIELDS = ['name', 'type', 'meta.comment'];
const FIELDS_OF_COMMENT = ['company', 'taxId', 'more'] as const;

/** Registers a name, or changes the comment of one and its use: name and type stay as they were registered. */
export function SendernameForm({ row, type: asked, onClose }: SendernameFormProps) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const create = useCreateSendername();
  const update = useUpdateSendername(row?.id ?? '');
  const [name, setName] = useState(row?.name ?? '');
  const [type, setType] = useState(row?.type ?? knownType(asked));
  const [known] = useState(() => parseComment(row?.meta.comment ?? ''));
  const [about, setAbout] = useState(known);
  const [isActive, setActive] = useState(row?.isActive ?? true);
  const [isAsked, setAsked] = useState(false);
  const isPending = create.isPending || update.isPending;
  useKeepOpen(isPending);
  const error = create.error ?? update.error;
  const { byField, rest } = error ? split(error, FIELDS) : { byField: {}, rest: null };
  const isReworded = FIELDS_OF_COMMENT.some((field) => about[field].trim() !== known[field]);
  const broken = row ? [] : senderNameErrors(type, name);
  const comment = composeComment(about);
  const lacks = row && !isReworded ? [] : senderCommentErrors(comment);
  const companyError = about.company.trim() ? lacks.find((rule) => rule === 'company') : 'required';
  const taxIdError = about.taxId.trim() ? lacks.find((rule) => rule !== 'company') : 'required';
  const isLacking = isReworded || !row ? companyError || taxIdError : undefined;
  const said = (rule: string | undefined) => isAsked && isLacking && rule && ruleText(t, rule);
  const field = (name: keyof typeof about) => ({
    name,
    value: about[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setAbout({ ...about, [name]: event.currentTarget.value }),
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    const wrong = broken.length ? 'name' : isLacking && (companyError ? 'company' : 'taxId');
    if (wrong) {
      event.currentTarget.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus();
      return;
    }
    const onSuccess = () => {
      showSuccess(t(row ? 'sendernames:saved' : 'sendernames:asked', { name }));
      onClose();
    };
    if (row) update.mutate({ isActive, ...(isReworded && { meta: { comment } }) }, { onSuccess });
    else create.mutate({ name, type, meta: { comment } }, { onSuccess });
  };

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {rest && (
          <Alert color="red" role="alert">
            {rest}
          </Alert>
        )}
        {row?.moderation === 'rejected' && isReworded && (
          <Text size="sm" role="status">
            {t('sendernames:editAsksAgain')}
          </Text>
        )}
        <Radio.Group
          label={t('sendernames:type')}
          value={type}
          onChange={(value) => setType(value as typeof type)}
          error={byField.type}
        >
          <Group mt="xs">
            {SendernameType.options.map((value) => (
              <Radio key={value} value={value} label={t(`common:type.${value}`)} disabled={!!row} />
            ))}
          </Group>
        </Radio.Group>
        <div>
          <TextInput
            name="name"
            label={t('sendernames:name')}
            description={row ? t('sendernames:fixed') : undefined}
            required={!row}
            disabled={!!row}
            maxLength={15}
            data-autofocus={!row || undefined}
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={byField.name ?? (isAsked && broken.length > 0)}
            aria-describedby={row ? undefined : 'name-rules'}
          />
          {!row && <NameRules id="name-rules" type={type} name={name} broken={broken} />}
        </div>
        <TextInput
          {...field('company')}
          label={t('sendernames:company')}
          required
          maxLength={300}
          autoComplete="organization"
          data-autofocus={row ? true : undefined}
          error={said(companyError)}
        />
        <TextInput
          {...field('taxId')}
          label={t('sendernames:taxId')}
          description={t('sendernames:taxIdHint')}
          required
          maxLength={30}
          autoComplete="off"
          spellCheck={false}
          error={byField['meta.comment'] ?? said(taxIdError)}
        />
        <Textarea
          {...field('more')}
          label={t('sendernames:more')}
          description={t('sendernames:moreHint')}
          autosize
          minRows={2}
          maxLength={600}
        />
        {row && (
          <Checkbox
            label={t('sendernames:active')}
            description={t('sendernames:activeHint')}
            checked={isActive}
            onChange={(event) => setActive(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={!!row && !isReworded && isActive === row.isActive}
          >
            {t(row ? 'sendernames:save' : 'sendernames:createSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function knownType(asked: string | undefined): Sendername['type'] {
  return SendernameType.options.find((type) => type === asked) ?? 'sms';
}
