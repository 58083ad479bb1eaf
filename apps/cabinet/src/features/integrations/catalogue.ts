import type { Settings } from '@heliograph/contract';
import { hasWords, INTEGRATION_CATALOGUE, type CatalogueItem } from '@heliograph/domain';

/** The card that leads to the guide of the API: any program. */
export const DOCUMENTATION = 'api';

/** The programs that a brand offers, by title or by what they are for. */
export function catalogueOf(
  brand: Settings['frontend']['brand'],
  search: string,
  groupOf: (item: CatalogueItem) => string,
): CatalogueItem[] {
  return INTEGRATION_CATALOGUE.filter((item) => {
    const text = `${item.title} ${item.latin} ${item.key} ${groupOf(item)}`;
    return item.brands.includes(brand) && hasWords(text, search);
  });
}

/** The title of a program in a language. */
export const titleOf = ({ title, latin }: CatalogueItem, language: string): string =>
  language === 'ru' ? title : latin;

export const pageOf = (key: string): string =>
  key === DOCUMENTATION ? '/documentation/api/HTTP-REST' : `/documentation/integrations/${key}`;
