import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { IconCap } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';

const CapsDialog = later(async () => (await import('./caps-dialog.tsx')).CapsDialog);

/** Opens the caps of the account that the page is filtered by, else of the own one: `?caps=true`. */
export function CapsSection({ OwnerId }: { OwnerId?: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const { UserId, OwnerId: own } = useSettings().session;
  const owner = OwnerId ?? own;
  // Users of an account see its caps; only its holder sets them.
  const mayUse = can('spendCaps.update') && (owner !== own || UserId === own);
  if (!mayUse) return null;
  return (
    <DialogButton
      param="caps"
      title={t('spendCaps:title')}
      icon={<IconCap size={18} aria-hidden />}
    >
      {(onClose) => <CapsDialog OwnerId={owner} onClose={onClose} />}
    </DialogButton>
  );
}
