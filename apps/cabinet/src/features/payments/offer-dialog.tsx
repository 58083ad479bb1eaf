import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { parseMarkdown } from '../../ui/markdown-parser.ts';
import { MarkdownView } from '../../ui/markdown-view.tsx';
import { offerQuery } from './offer.api.ts';

/** The offer of a payment method, from the documentation. */
export function OfferDialog({ method, onClose }: { method: string; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useQuery(offerQuery(i18n.language, method));
  return (
    <Dialog opened={!!data || !!error} onClose={onClose} size={800} title={t('payments:offer')}>
      {!data && error && (
        <ErrorCard title={t('payments:offer')} error={error} onRetry={() => void refetch()} />
      )}
      {data && <MarkdownView nodes={parseMarkdown(data.text).nodes} source={data.source} />}
    </Dialog>
  );
}
