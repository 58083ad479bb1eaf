import { ActionIcon, Code, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import { IconCheck, IconCopy } from './icons.ts';

/** An id to quote or to paste into a call. */
export function CopyId({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{id}</Code>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color={copied ? 'green' : 'gray'}
            onClick={copy}
            aria-label={copied ? t('copied') : t('copyId')}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
