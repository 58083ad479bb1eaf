import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { IconCap } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';

const CapsDialog = later(async () => (await import('./caps-dialog.tsx')).CapsDialog);

/** Opens the caps of the account that the page is filtered by, else of the own one: `?caps=true`. */
export function CapsSection({ OwnerId }: { OwnerId?: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const { UserId, OwnerId: own } = useSettings().session;
  const [isOpen, setOpen] = useParam('caps');
  const owner = OwnerId ?? own;
  // Users of an account see its caps; only its holder sets them.
  const mayUse = can('spendCaps.update') && (owner !== own || UserId === own);
  if (!mayUse) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCap size={18} aria-hidden />}
        onClick={() => setOpen('true')}
      >
        {t('spendCaps:title')}
      </Button>
      {isOpen !== null && (
        <CapsDialog OwnerId={owner} onClose={() => setOpen(null, { replace: true })} />
      )}
    </>
  );
}
