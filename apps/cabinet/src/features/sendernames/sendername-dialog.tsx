import { type Sendername, SendernameType } from '@heliograph/contract';
import {
  composeComment,
  parseComment,
  senderCommentErrors,
  senderNameErrors,
  type SenderNameError,
} from '@heliograph/domain';
import { Checkbox, Group, Radio, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import type { BrokenRules } from '../../core/forms/field-errors.ts';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconCheck, IconCircle, IconX } from '../../ui/icons.ts';
import { useCreateSendername, useUpdateSendername } from './sendernames.api.ts';

interface SendernameDialogProps {
  opened: boolean;
  /** The name that is edited; none is a new one. */
  row: Sendername | null;
  /** Of a new one, as the link asked for. */
  type?: string;
  onClose: () => void;
}

export function SendernameDialog({ opened, row, type, onClose }: SendernameDialogProps) {
  const { t } = useTranslation();
  const last = useLast(row, opened);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={last ? t('sendernames:editTitle', { name: last.name }) : t('sendernames:createTitle')}
      size={500}
    >
      <SendernameForm row={last} type={type} onClose={onClose} />
    </Dialog>
  );
}

interface SendernameFormProps {
  row: Sendername | null;
  type?: string;
  onClose: () => void;
}

const FIELDS_OF_COMMENT = ['company', 'taxId', 'more'] as const;
type Comment = Record<(typeof FIELDS_OF_COMMENT)[number], string>;

/** Registers a name, or changes the comment of one and its use: name and type stay as they were registered. */
function SendernameForm({ row, type: preset, onClose }: SendernameFormProps) {
  const { t } = useTranslation();
  const create = useCreateSendername();
  const update = useUpdateSendername(row?.id ?? '');
  const known = parseComment(row?.meta.comment ?? '');
  const isReworded = (about: Comment) =>
    FIELDS_OF_COMMENT.some((field) => about[field].trim() !== known[field]);
  const form = useContractForm({
    initial: {
      name: row?.name ?? '',
      type: row?.type ?? knownType(preset),
      ...known,
      isActive: row?.isActive ?? true,
    },
    isEdit: !!row,
    names: { 'meta.comment': 'taxId' },
    check: (values) => ({
      ...(!row && { name: senderNameErrors(values.type, values.name)[0] }),
      ...((!row || isReworded(values)) && brokenComment(values)),
    }),
    toBody: ({ name, type, isActive, ...about }) => ({
      name,
      type,
      isActive,
      meta: !row || isReworded(about) ? { comment: composeComment(about) } : undefined,
    }),
    submit: ({ name, type, isActive, meta }) =>
      row
        ? update.mutateAsync({ isActive, ...(meta && { meta }) })
        : create.mutateAsync({ name, type, meta: meta! }),
    onDone(_, { name }) {
      showSuccess(t(row ? 'sendernames:saved' : 'sendernames:asked', { name }));
      onClose();
    },
  });
  const { values } = form;
  const submit = t(row ? 'sendernames:save' : 'sendernames:createSubmit');
  return (
    <ContractForm form={form} submit={submit} onCancel={onClose}>
      {row?.moderation === 'rejected' && isReworded(values) && (
        <Text size="sm" role="status">
          {t('sendernames:editAsksAgain')}
        </Text>
      )}
      <Radio.Group {...form.field('type')} label={t('sendernames:type')}>
        <Group mt="xs">
          {SendernameType.options.map((value) => (
            <Radio key={value} value={value} label={t(`common:type.${value}`)} disabled={!!row} />
          ))}
        </Group>
      </Radio.Group>
      <div>
        <TextInput
          {...form.field('name')}
          label={t('sendernames:name')}
          description={row ? t('sendernames:fixed') : undefined}
          required={!row}
          disabled={!!row}
          maxLength={15}
          data-autofocus={!row || undefined}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={row ? undefined : 'name-rules'}
        />
        {!row && (
          <NameRules
            id="name-rules"
            type={values.type}
            name={values.name}
            broken={senderNameErrors(values.type, values.name)}
          />
        )}
      </div>
      <TextInput
        {...form.field('company')}
        label={t('sendernames:company')}
        required
        maxLength={300}
        autoComplete="organization"
        data-autofocus={row ? true : undefined}
      />
      <TextInput
        {...form.field('taxId')}
        label={t('sendernames:taxId')}
        description={t('sendernames:taxIdHint')}
        required
        maxLength={30}
        autoComplete="off"
        spellCheck={false}
      />
      <Textarea
        {...form.field('more')}
        label={t('sendernames:more')}
        description={t('sendernames:moreHint')}
        autosize
        minRows={2}
        maxLength={600}
      />
      {row && (
        <Checkbox
          {...form.field('isActive', { type: 'checkbox' })}
          label={t('sendernames:active')}
          description={t('sendernames:activeHint')}
        />
      )}
    </ContractForm>
  );
}

/** The comment names the company and its tax id. */
function brokenComment(about: Comment): BrokenRules {
  const rules = senderCommentErrors(composeComment(about));
  return {
    company: about.company.trim() ? rules.find((rule) => rule === 'company') : 'required',
    taxId: about.taxId.trim() ? rules.find((rule) => rule !== 'company') : 'required',
  };
}

function knownType(preset: string | undefined): Sendername['type'] {
  return SendernameType.options.find((type) => type === preset) ?? 'sms';
}

interface NameRulesProps {
  id: string;
  type: z.infer<typeof SendernameType>;
  name: string;
  broken: SenderNameError[];
}

const RULES = ['length', 'characters'] as const;

/** The rules of a name, each with its state while the name is typed. */
function NameRules({ id, type, name, broken }: NameRulesProps) {
  const { t } = useTranslation();
  return (
    <ul id={id} style={{ listStyle: 'none', margin: '6px 0 0', padding: 0 }}>
      {RULES.map((rule) => {
        const state = !name ? 'open' : broken.includes(rule) ? 'broken' : 'kept';
        const StateIcon = { open: IconCircle, broken: IconX, kept: IconCheck }[state];
        const color = {
          open: 'dimmed',
          broken: 'var(--app-red-text)',
          kept: 'var(--app-green-text)',
        }[state];
        return (
          <Group component="li" key={rule} gap={6} wrap="nowrap" c={color}>
            <StateIcon size={14} aria-hidden style={{ flex: 'none' }} />
            <Text size="sm" c="inherit">
              {t(`sendernames:rule.${type}.${rule}`)}
              {state !== 'open' && (
                <span className="visually-hidden"> {t(`sendernames:ruleState.${state}`)}</span>
              )}
            </Text>
          </Group>
        );
      })}
    </ul>
  );
}
