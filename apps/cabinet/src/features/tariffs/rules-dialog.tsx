import type { Tariff } from '@heliograph/contract';
import { Modal, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { TariffRules } from './tariff-rules.tsx';

interface RulesDialogProps {
  tariff: Tariff | null;
  onClose: () => void;
}

export function RulesDialog({ tariff, onClose }: RulesDialogProps) {
  const { t } = useTranslation();
  const last = useRef(tariff);
  if (tariff) last.current = tariff;
  if (!last.current) return null;
  const { title, usersTariffs } = last.current;
  return (
    <Modal
      opened={!!tariff}
      onClose={onClose}
      title={t('tariffs:rulesOf', { title })}
      size={800}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Stack>
        <Text size="sm">{t('tariffs:howRulesWork')}</Text>
        {usersTariffs.map((held) => (
          <TariffRules key={held.id} tariff={held} />
        ))}
      </Stack>
    </Modal>
  );
}
