import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { IconTariff } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';

const PackagesDialog = later(async () => (await import('./packages-dialog.tsx')).PackagesDialog);

/** Opens the packages of the account that the page is filtered by, else of the own one: `?packages=true`. */
export function PackagesSection({ OwnerId }: { OwnerId?: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const { OwnerId: own } = useSettings().session;
  if (!can('packages.get')) return null;
  return (
    <DialogButton
      param="packages"
      title={t('packages:title')}
      icon={<IconTariff size={18} aria-hidden />}
    >
      {(onClose) => <PackagesDialog OwnerId={OwnerId ?? own} onClose={onClose} />}
    </DialogButton>
  );
}
