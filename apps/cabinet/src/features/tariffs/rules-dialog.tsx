import type { Tariff } from '@heliograph/contract';
import { Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useOwner } from '../../core/owners.ts';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { StepList } from './step-list.tsx';
import { TariffRules } from './tariff-rules.tsx';

interface RulesDialogProps {
  tariff: Tariff | null;
  /** Whose prices they are; one's own when absent. */
  OwnerId?: string;
  onClose: () => void;
}

export function RulesDialog({ tariff, OwnerId, onClose }: RulesDialogProps) {
  const { t } = useTranslation();
  const last = useLast(tariff);
  const currency = useOwner(OwnerId)?.currency;
  if (!last) return null;
  const { title, usersTariffs } = last;
  return (
    <Dialog opened={!!tariff} onClose={onClose} title={t('tariffs:rulesOf', { title })} size={800}>
      <Stack>
        <Text size="sm">{t('tariffs:howRulesWork')}</Text>
        {usersTariffs.map((held) => (
          <Fragment key={held.id}>
            <TariffRules tariff={held} currency={currency} />
            <StepList steps={held.volumeSteps} />
          </Fragment>
        ))}
      </Stack>
    </Dialog>
  );
}
