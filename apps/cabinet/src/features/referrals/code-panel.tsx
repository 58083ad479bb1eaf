import type { User } from '@heliograph/contract';
import { Box, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconCheck, IconCopy, IconQr } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';

const CodeForm = later(async () => (await import('./code-form.tsx')).CodeForm);
const QrDialog = later(async () => (await import('./qr-dialog.tsx')).QrDialog);

/** The registration page with the code filled in. */
const linkOf = (code: string) => `${location.origin}/registration?ref=${encodeURIComponent(code)}`;

/** The code and its link. Only the account holder sets the code. */
export function CodePanel({ me }: { me: User }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const { referralCode: code } = me;
  const isHolder = me.id === me.OwnerId;
  if (!isHolder && !code) return null;
  const link = code && linkOf(code);
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="referral-code">
      <Stack gap="sm">
        <Title order={2} size="h4" id="referral-code">
          {t('referrals:code.title')}
        </Title>
        <Text size="sm" c="dimmed" maw={720}>
          {t('referrals:code.text')}
        </Text>
        {isHolder && (
          // Without a code there is a second button.
          <Box maw={420} mih={{ base: code ? 146 : 198, sm: 146 }}>
            <CodeForm me={me} key={code} />
          </Box>
        )}
        {code && link && (
          <Stack gap="xs">
            <Text size="sm">{t('referrals:code.link')}</Text>
            <Code style={{ overflowWrap: 'anywhere', alignSelf: 'start' }}>{link}</Code>
            <Group gap="xs">
              <Copy value={code} label={t('referrals:code.copyCode')} />
              <Copy value={link} label={t('referrals:code.copyLink')} />
              <Button
                variant="default"
                size="sm"
                leftSection={<IconQr size={16} aria-hidden />}
                onClick={() => setShown(true)}
              >
                {t('referrals:code.qr')}
              </Button>
            </Group>
          </Stack>
        )}
      </Stack>
      {isShown && link && <QrDialog link={link} onClose={() => setShown(false)} />}
    </Paper>
  );
}

function Copy({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const Mark = copied ? IconCheck : IconCopy;
        return (
          <Button
            variant="default"
            size="sm"
            leftSection={<Mark size={16} aria-hidden />}
            onClick={copy}
          >
            {copied ? t('copied') : label}
          </Button>
        );
      }}
    </CopyButton>
  );
}
