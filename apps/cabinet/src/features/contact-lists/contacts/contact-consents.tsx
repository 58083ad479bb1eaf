import { signupForms } from '@heliograph/contract';
import { Fieldset, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { useFormats } from '../../../core/use-formats.ts';

/** What the person of a contact has agreed to in sign-up forms; nothing if that is nothing. */
export function ContactConsents({ id }: { id: string }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { data, error } = useQuery({
    queryKey: keysOf('contacts').of('consents', id),
    queryFn: ({ signal }) => api(signupForms.consents, { params: { id }, signal }),
  });
  if (error)
    return (
      <Text size="sm" mt="md" c="dimmed">
        {t('contactLists:consents.failed')}
      </Text>
    );
  if (!data?.data.length) return null;
  return (
    <Fieldset legend={t('contactLists:consents.title')} mt="md">
      <Stack gap="sm">
        {data.data.map(({ FormId, hash, title, address, ip, text, confirmedAt }) => (
          <div key={`${FormId} ${hash} ${address}`}>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {t('contactLists:consents.line', {
                time: dateTime(confirmedAt),
                form: title,
                address,
                ip,
              })}
            </Text>
            <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          </div>
        ))}
      </Stack>
    </Fieldset>
  );
}
