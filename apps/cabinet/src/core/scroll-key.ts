import type { Location } from 'react-router';

/**
 * Where a scroll position is kept. The first page of every document has the key `default`: by it alone a page that is opened
 * in a tab would start where the page before it was left.
 */
export const scrollKey = ({ key, pathname, search }: Location): string =>
  key === 'default' ? pathname + search : key;
