import { Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../core/use-formats.ts';

interface UploadProgressProps {
  /** How much has gone up, 0 to 1; null when nothing is under way. */
  ratio: number | null;
  /** What is done with it when all of it is there. */
  then?: string;
}

/** How far a file is on its way up; there before it begins, so that it is heard. */
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
