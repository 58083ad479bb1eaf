import type { Tariff } from '@heliograph/contract';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TariffRules } from './tariff-rules.tsx';

interface RulesDialogProps {
  tariff: Tariff | null;
  onClose: () => void;
}

export function RulesDialog({ tariff, onClose }: RulesDialogProps) {
  const { t } = useTranslation();
  const last = useLast(tariff);
  if (!last) return null;
  const { title, usersTariffs } = last;
  return (
    <Dialog opened={!!tariff} onClose={onClose} title={t('tariffs:rulesOf', { title })} size={800}>
      <Stack>
        <Text size="sm">{t('tariffs:howRulesWork')}</Text>
        {usersTariffs.map((held) => (
          <TariffRules key={held.id} tariff={held} />
        ))}
      </Stack>
    </Dialog>
  );
}
