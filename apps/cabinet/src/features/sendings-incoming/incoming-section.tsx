import type { SendingIncoming } from '@heliograph/contract';
import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Blurred } from '../../ui/blurred.tsx';
import { FileLink } from '../../ui/file-link.tsx';
import { IconFile, IconImage } from '../../ui/icons.ts';
import { isLink } from './reply.ts';

const ATTACHED = { image: IconImage, file: IconFile } as const;

/** Text, image and file of an incoming message. External files are loaded only when the user opens them. */
export function IncomingSection({ payload }: { payload: SendingIncoming['payload'] }) {
  const { t } = useTranslation();
  const kinds = (['image', 'file'] as const).filter((kind) => payload[kind]);
  return (
    <Stack gap="xs">
      {(payload.text || kinds.length === 0) && (
        <Paper withBorder p="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {payload.text ? (
            <Blurred what={t('incoming:text')}>{payload.text}</Blurred>
          ) : (
            <Text c="dimmed">{t('incoming:noText')}</Text>
          )}
        </Paper>
      )}
      {kinds.map((kind) => {
        const address = payload[kind]!;
        const KindIcon = ATTACHED[kind];
        return (
          <Group key={kind} gap="xs" wrap="nowrap">
            <KindIcon size={18} aria-hidden />
            <Blurred what={t(`incoming:with.${kind}`)}>
              {isLink(address) ? (
                <Anchor
                  href={address}
                  target="_blank"
                  rel="noopener noreferrer"
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {t(`incoming:open.${kind}`)}
                </Anchor>
              ) : (
                <FileLink fileId={address}>{t(`incoming:open.${kind}`)}</FileLink>
              )}
            </Blurred>
          </Group>
        );
      })}
    </Stack>
  );
}
