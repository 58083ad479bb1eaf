import { queryOptions } from '@tanstack/react-query';
import { keysOf } from '../../core/query-keys.ts';

/** The offer of the method. The server answers with that of cards, or in English, where there is no other. */
async function readOffer(locale: string, method: string, signal: AbortSignal) {
  const source = `/docs/${locale}/misc/${method}-payment-offer.md`;
  const answer = await fetch(source, { cache: 'no-cache', signal });
  const isHtml = answer.headers.get('content-type')?.includes('html');
  if (!answer.ok || isHtml) throw new Error(`There is no offer of ${method}`);
  return { source, text: await answer.text() };
}

export const offerQuery = (locale: string, method: string) =>
  queryOptions({
    queryKey: keysOf('payments').of('offer', `${locale} ${method}`),
    queryFn: ({ signal }) => readOffer(locale, method, signal),
    staleTime: Infinity,
  });
