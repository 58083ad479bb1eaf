import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { IconTariff } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';

const PackagesDialog = later(async () => (await import('./packages-dialog.tsx')).PackagesDialog);

/** Opens the packages of the account that the page is filtered by, else of the own one: `?packages=true`. */
export function PackagesSection({ OwnerId }: { OwnerId?: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const { OwnerId: own } = useSettings().session;
  const [isOpen, setOpen] = useParam('packages');
  if (!can('packages.get')) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTariff size={18} aria-hidden />}
        onClick={() => setOpen('true')}
      >
        {t('packages:title')}
      </Button>
      {isOpen !== null && (
        <PackagesDialog OwnerId={OwnerId ?? own} onClose={() => setOpen(null, { replace: true })} />
      )}
    </>
  );
}
