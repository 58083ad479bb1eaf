import { Input, Stack, Text, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../core/settings.ts';
import { ContactListSelect } from '../../contact-lists/contact-list-select.tsx';
import { useFieldError, useSendForm } from './form-context.ts';
import { usePhoneCount } from './use-phone-count.ts';

export function RecipientFields() {
  const { t } = useTranslation();
  const form = useSendForm();
  const errorOf = useFieldError();
  const can = useCan();
  const { lists, phones } = form.values;
  const count = usePhoneCount(phones);
  const error = errorOf('recipients');
  const forget = () => form.clearFieldError('recipients');
  return (
    <Stack>
      {can('contactLists.get') && (
        <ContactListSelect
          label={t('send:lists')}
          value={lists}
          onChange={(ids) => {
            forget();
            form.setFieldValue('lists', ids);
          }}
        />
      )}
      <div>
        <Textarea
          label={t('send:phones')}
          description={t('send:phonesHint')}
          autosize
          minRows={3}
          maxRows={10}
          value={phones}
          inputMode="tel"
          spellCheck={false}
          onChange={(event) => {
            forget();
            form.setFieldValue('phones', event.currentTarget.value);
          }}
          error={!!error}
          aria-describedby={error ? 'recipients-error' : undefined}
        />
        <Text size="xs" c="dimmed" mt={4} mih={18} role="status" className="numeric">
          {count && t('send:phoneCount', { ...count, count: count.valid })}
          {count &&
            count.duplicates > 0 &&
            ` · ${t('send:phoneDuplicates', { count: count.duplicates })}`}
          {count &&
            count.invalid > 0 &&
            ` · ${t('send:phoneInvalid', { count: count.invalid, first: count.firstInvalid })}`}
        </Text>
      </div>
      {error && <Input.Error id="recipients-error">{error}</Input.Error>}
    </Stack>
  );
}
