import { useQuery, queryOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keysOf } from '../../core/query-keys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { parseMarkdown } from '../../ui/markdown-parser.ts';
import { MarkdownView } from '../../ui/markdown-view.tsx';

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

/** The offer of the method. The server answers with that of cards, or in English, where there is no other. */
async function readOffer(locale: string, method: string, signal: AbortSignal) {
  const source = `/docs/${locale}/misc/${method}-payment-offer.md`;
  const answer = await fetch(source, { cache: 'no-cache', signal });
  const isHtml = answer.headers.get('content-type')?.includes('html');
  if (!answer.ok || isHtml) throw new Error(`There is no offer of ${method}`);
  return { source, text: await answer.text() };
}

const offerQuery = (locale: string, method: string) =>
  queryOptions({
    queryKey: keysOf('payments').of('offer', `${locale} ${method}`),
    queryFn: ({ signal }) => readOffer(locale, method, signal),
    staleTime: Infinity,
  });
