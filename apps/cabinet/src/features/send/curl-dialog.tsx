import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { curlOf } from './send.api.ts';

interface CurlDialogProps {
  body: object;
  onClose: () => void;
}

/** The very request that the wizard would make, to be made by a program. */
export function CurlDialog({ body, onClose }: CurlDialogProps) {
  const { t } = useTranslation();
  const command = curlOf(location.origin, body);
  return (
    <Dialog opened onClose={onClose} size={600} title={t('send:curlTitle')}>
      <Stack>
        <Text size="sm">{t('send:curlHint', { token: '$TOKEN' })}</Text>
        <Code block tabIndex={0} mah={360} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>
          {command}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={command}>
            {({ copied, copy }) => (
              <Button onClick={copy} data-autofocus>
                {copied ? t('copied') : t('send:copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Dialog>
  );
}
