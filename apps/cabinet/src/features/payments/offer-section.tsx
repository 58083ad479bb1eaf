import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../../ui/later.tsx';

const Offer = later(async () => (await import('./offer-dialog.tsx')).OfferDialog);

/** The way to the offer of a payment method, in a form that accepts it. */
export function OfferSection({ method }: { method: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setOpen(true)}
      >
        {t('payments:readOffer')}
      </Anchor>
      {isOpen && <Offer method={method} onClose={() => setOpen(false)} />}
    </>
  );
}
