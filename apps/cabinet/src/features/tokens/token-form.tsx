import { MAX_TOKEN_ADDRESSES, tokens, type Permission, type Token } from '@heliograph/contract';
import { latestTokenExpiry } from '@heliograph/domain';
import { TagsInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { dayOf, endOfDay } from '../../ui/dates.ts';
import { PermissionChoice } from './permission-choice.tsx';
import type { TokenDraft } from './tokens.api.ts';

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

export function TokenForm<R>({ row, readOnly, submit, onDone, onClose }: TokenFormProps<R>) {
  const { t } = useTranslation();
  const former = row?.expiredAt ?? null;
  const [min, max] = [dayOf(new Date()), dayOf(latestTokenExpiry(new Date()))];
  const formerDay = former ? dayOf(new Date(former)) : '';
  const form = useContractForm({
    initial: {
      description: row?.description ?? '',
      expires: formerDay,
      ipWhitelist: row?.ipWhitelist ?? ([] as string[]),
      isLimited: !!row?.permissions,
      permissions: row?.permissions ?? ([] as Permission[]),
    },
    isEdit: !!row,
    schema: row ? tokens.update.body : tokens.create.body,
    names: { expiredAt: 'expires' },
    toBody: ({ description, expires, ipWhitelist, isLimited, permissions }) => ({
      description: description.trim(),
      ipWhitelist,
      expiredAt: expiryOf(expires, former),
      permissions: isLimited ? permissions : null,
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
  const { value: _, onChange: __, ...expires } = form.field('expires');
  return (
    <ContractForm
      form={form}
      readOnly={readOnly}
      footer={<FormFooter form={form} submit={label} onCancel={onClose} />}
    >
      <TextInput
        {...form.field('description')}
        label={t('tokens:description')}
        description={t('tokens:descriptionHint')}
        required
        maxLength={200}
        autoComplete="off"
        data-autofocus
      />
      <DateField
        {...expires}
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
      <PermissionChoice
        isLimited={form.values.isLimited}
        value={form.values.permissions}
        onChange={(change) => form.set(change)}
      />
    </ContractForm>
  );
}
