import type { Bulk, Fallback, Payload, SendingType } from '@heliograph/contract';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { PhoneSection } from '../send/phone-section.tsx';

interface Message {
  type: SendingType;
  payload: Partial<Payload>;
}

/** The message of a bulk and its fallbacks, as their recipients get them; variables have their defaults. */
export function Sent({ task }: { task: Bulk }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { fallbacks = [], ...first } = task.data.sending as unknown as Message & {
    fallbacks?: Fallback[];
  };
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  return (
    <Stack>
      {[first, ...fallbacks].map(({ type, payload }, attempt) => {
        const name = t('bulk:attemptOf', {
          number: attempt + 1,
          type: t(`common:type.${type}`),
        });
        return (
          <div key={attempt}>
            {fallbacks.length > 0 && (
              <Text size="sm" mb={4}>
                {name}
              </Text>
            )}
            <PhoneSection type={type} payload={payload} values={{}} label={name} />
          </div>
        );
      })}
      <Facts
        facts={[
          { label: t('tasks:created'), value: time(task.createdAt) },
          { label: t('tasks:detail.startsAt'), value: time(task.startsAt) },
          { label: t('tasks:detail.until'), value: time(task.until) },
          { label: t('tasks:owner'), value: task.Owner?.username },
          { label: t('tasks:detail.id'), value: <CopyId id={task.id} /> },
        ]}
      />
    </Stack>
  );
}
