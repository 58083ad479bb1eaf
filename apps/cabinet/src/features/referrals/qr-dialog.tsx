import { Center, Code, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

/** The referral link as a QR code. */
export function QrDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={t('referrals:code.qr')}>
      <Stack>
        <Center>
          <QrCode text={link} label={t('referrals:code.qrLabel')} />
        </Center>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {link}
        </Code>
      </Stack>
    </Dialog>
  );
}
