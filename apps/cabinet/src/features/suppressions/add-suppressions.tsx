import { MAX_SUPPRESSION_IMPORT, SendingType, suppressions } from '@heliograph/contract';
import { isSuppressible } from '@heliograph/domain';
import { NativeSelect, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { entriesOf, withEntries } from '../../core/entries.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RecipientsSelect } from '../contact-lists/recipients-select.tsx';
import { useAddSuppressions, type SuppressionDraft } from './suppressions.api.ts';

/** Adds one address or a pasted column, `?create=true`. */
export function AddSuppressions() {
  const { t } = useTranslation();
  const [creating, setCreating] = useParam('create');
  const close = () => setCreating(null, { replace: true });
  return (
    <Dialog opened={creating !== null} onClose={close} title={t('suppressions:addTitle')}>
      <AddForm onClose={close} />
    </Dialog>
  );
}

function AddForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useAddSuppressions();
  const form = useContractForm({
    initial: { addresses: '', type: '' },
    schema: suppressions.import.body,
    toBody: ({ addresses, type }) => ({
      addresses: entriesOf(addresses),
      type: (type || null) as SuppressionDraft['type'],
    }),
    submit: mutateAsync,
    onDone({ added, known, refused }) {
      const done = [
        added && t('suppressions:added', { count: added }),
        known && t('suppressions:known', { count: known }),
      ].filter(Boolean);
      if (done.length) showSuccess(done.join(' '));
      if (!refused.length) return onClose();
      // To be corrected: who they mean still gets messages.
      form.set({ addresses: refused.join('\n') });
      form.setErrors({ addresses: t('suppressions:invalid', { count: refused.length }) });
    },
  });
  return (
    <ContractForm form={form} submit={t('suppressions:add')} onCancel={onClose}>
      <Textarea
        {...form.field('addresses')}
        label={t('suppressions:addresses')}
        description={t('suppressions:addressesHint', { count: MAX_SUPPRESSION_IMPORT })}
        required
        autosize
        minRows={4}
        maxRows={12}
        data-autofocus
      />
      <RecipientsSelect
        phones="each"
        pick={({ phones, emails }) => [...phones, ...emails]}
        onRead={(read) => form.set({ addresses: withEntries(form.values.addresses, read) })}
      />
      <NativeSelect
        {...form.field('type')}
        label={t('suppressions:covers')}
        data={[
          { value: '', label: t('suppressions:allTypes') },
          ...SendingType.options
            .filter(isSuppressible)
            .map((type) => ({ value: type, label: t(`common:type.${type}`) })),
        ]}
      />
    </ContractForm>
  );
}
