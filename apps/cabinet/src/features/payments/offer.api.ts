import { queryOptions } from '@tanstack/react-query';
import { keysOf } from '../../core/query-keys.ts';

const isHtml = (answer: Response) => answer.headers.get('content-type')?.includes('html');

/** The offer of the method, or that of all cards; in English if there is none in the language. */
async function readOffer(locale: string, method: string, signal: AbortSignal) {
  const files = [
    `${locale}/misc/${method}`,
    `${locale}/misc/card`,
    `en/misc/${method}`,
    'en/misc/card',
  ];
  for (const file of files) {
    const source = `/docs/${file}-payment-offer.md`;
    const answer = await fetch(source, { cache: 'no-cache', signal });
    if (answer.ok && !isHtml(answer)) return { source, text: await answer.text() };
  }
  throw new Error(`There is no offer of ${method}`);
}

export const offerQuery = (locale: string, method: string) =>
  queryOptions({
    queryKey: keysOf('payments').of('offer', `${locale} ${method}`),
    queryFn: ({ signal }) => readOffer(locale, method, signal),
    staleTime: Infinity,
  });
