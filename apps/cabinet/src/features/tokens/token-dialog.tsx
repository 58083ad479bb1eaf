import {
  type Token,
  type TokenWithSecret,
  MAX_TOKEN_ADDRESSES,
  tokens,
  type Permission,
} from '@heliograph/contract';
import { latestTokenExpiry } from '@heliograph/domain';
import { Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { DateField } from '../../ui/date-field.tsx';
import { dayOf, endOfDay } from '../../ui/dates.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { isOfTests, PermissionChoice } from './permission-choice.tsx';
import { TokenCopy } from './token-copy.tsx';
import { tokenQuery, useCreateToken, useUpdateToken, type TokenDraft } from './tokens.api.ts';

/** A new token, `?create=true`, and its secret afterwards. Closing clears the secret. */
export function CreateTokenDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const { previous } = useSession();
  const [creating, setCreating] = useParam('create');
  const [created, setCreated] = useState<TokenWithSecret | null>(null);
  const create = useCreateToken();
  const isOpen = creating !== null && can('tokens.create') && !previous;
  if (!isOpen && created) setCreated(null);
  const close = () => {
    setCreated(null);
    create.reset();
    setCreating(null, { replace: true });
  };
  const title = t(created ? 'tokens:copyTitle' : 'tokens:createTitle');
  return (
    <Dialog opened={isOpen} onClose={close} size={600} title={title}>
      {created ? (
        <TokenCopy created={created} onClose={close} />
      ) : (
        <TokenForm row={null} submit={create.mutateAsync} onDone={setCreated} onClose={close} />
      )}
    </Dialog>
  );
}

/** A token to read and change, `?id=`. Only its user can change it. */
export function EditTokenDialog({ isOwn }: { isOwn: (row: Token) => boolean }) {
  const { t } = useTranslation();
  const can = useCan();
  const detail = useDetail(tokenQuery);
  const title = detail.data?.description ?? t('tokens:detail');
  return (
    <Dialog {...detail.frame} size={600} title={title}>
      <DetailBody detail={detail} failed={t('tokens:detailFailed')}>
        {(row) => (
          <EditForm
            key={row.id}
            row={row}
            readOnly={!can('tokens.update') || !isOwn(row)}
            onClose={detail.frame.onClose}
          />
        )}
      </DetailBody>
    </Dialog>
  );
}

interface EditFormProps {
  row: Token;
  readOnly: boolean;
  onClose: () => void;
}

function EditForm({ row, ...props }: EditFormProps) {
  const { t } = useTranslation();
  const update = useUpdateToken(row.id);
  const done = ({ description }: Token) => {
    showSuccess(t('tokens:saved', { description }));
    props.onClose();
  };
  return <TokenForm row={row} submit={update.mutateAsync} onDone={done} {...props} />;
}

interface TokenFormProps<R> {
  row: Token | null;
  readOnly?: boolean;
  submit: (body: TokenDraft) => Promise<R>;
  onDone: (result: R) => void;
  onClose: () => void;
}

/** The end of the chosen day, at most a year ahead; an unchanged day keeps its time. */
function expiryOf(day: string, before: string | null): string | null {
  if (!day) return null;
  if (before && dayOf(new Date(before)) === day) return before;
  const end = endOfDay(day);
  const latest = latestTokenExpiry(new Date());
  return (end > latest ? latest : end).toISOString();
}

function TokenForm<R>({ row, readOnly, submit, onDone, onClose }: TokenFormProps<R>) {
  const { t } = useTranslation();
  const former = row?.expiredAt ?? null;
  const [min, max] = [dayOf(new Date()), dayOf(latestTokenExpiry(new Date()))];
  const formerDay = former ? dayOf(new Date(former)) : '';
  const form = useContractForm({
    initial: {
      description: row?.description ?? '',
      expires: formerDay,
      ipWhitelist: row?.ipWhitelist ?? ([] as string[]),
      isTest: row?.isTest ?? false,
      isLimited: !!row?.permissions,
      permissions: row?.permissions ?? ([] as Permission[]),
    },
    isEdit: !!row,
    schema: row ? tokens.update.body : tokens.create.body,
    names: { expiredAt: 'expires' },
    toBody: ({ description, expires, ipWhitelist, isTest, isLimited, permissions }) => ({
      description: description.trim(),
      ipWhitelist,
      expiredAt: expiryOf(expires, former),
      permissions: isLimited ? permissions : null,
      ...(!row && { isTest }),
    }),
    check: ({ expires }) => {
      if (!expires || expires === formerDay) return {};
      // A year of more than four digits does not sort.
      const isFar = expires > max || expires.length > max.length;
      return expires < min ? { expires: 'past' } : isFar ? { expires: 'far' } : {};
    },
    blockedBy: ({ description, isLimited, permissions }) => {
      if (!description.trim()) return t('tokens:descriptionNeeded');
      return isLimited && !permissions.length && t('tokens:choosePermission');
    },
    submit,
    onDone,
  });
  const label = t(row ? 'tokens:save' : 'tokens:createSubmit');
  return (
    <ContractForm form={form} readOnly={readOnly} submit={label} onCancel={onClose}>
      <TextInput
        {...form.text('description')}
        label={t('tokens:description')}
        description={t('tokens:descriptionHint')}
        required
        autoComplete="off"
        data-autofocus
      />
      <DateField
        {...form.field('expires')}
        label={t('tokens:expires')}
        description={t('tokens:expiresHint')}
        min={min}
        max={max}
        value={form.values.expires}
        onChange={(day) => form.set({ expires: day })}
      />
      <TagsInput
        {...form.field('ipWhitelist')}
        label={t('tokens:addresses')}
        description={t('tokens:addressesHint')}
        splitChars={[',', ';', ' ', '\n']}
        maxTags={MAX_TOKEN_ADDRESSES}
        acceptValueOnBlur
        autoComplete="off"
        spellCheck={false}
      />
      {row ? (
        row.isTest && <Text size="sm">{t('tokens:testHint')}</Text>
      ) : (
        <Switch
          label={t('tokens:isTest')}
          description={t('tokens:testHint')}
          checked={form.values.isTest}
          onChange={({ currentTarget: { checked: isTest } }) =>
            form.set({
              isTest,
              ...(isTest && { permissions: form.values.permissions.filter(isOfTests) }),
            })
          }
        />
      )}
      <PermissionChoice
        isTest={form.values.isTest}
        isLimited={form.values.isLimited}
        value={form.values.permissions}
        onChange={(change) => form.set(change)}
      />
    </ContractForm>
  );
}
