import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';

/** When the draft was kept last. */
export function DraftState({ savedAt }: { savedAt: number | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (savedAt === null) return null;
  return (
    <Text size="xs" c="dimmed" className="numeric">
      {t('send:draftSaved', { time: formats.time(new Date(savedAt).toISOString()) })}
    </Text>
  );
}
