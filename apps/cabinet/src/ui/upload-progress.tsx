import { Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../core/use-formats.ts';

interface UploadProgressProps {
  /** How much has gone up, 0 to 1; null when nothing is under way. */
  ratio: number | null;
  /** Text of the step after the upload. */
  then?: string;
}

/** The progress of an upload. Mounted before it starts, so that screen readers announce it. */
export function UploadProgress({ ratio, then }: UploadProgressProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <div role="status">
      {ratio !== null && (
        <>
          <Text size="sm" mb={6}>
            {ratio >= 1 && then ? then : t('uploading', { ratio: formats.percent(ratio) })}
          </Text>
          <Progress value={ratio * 100} animated={ratio >= 1} aria-label={t('uploadProgress')} />
        </>
      )}
    </div>
  );
}
