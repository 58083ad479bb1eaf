import { hasWords } from '@heliograph/domain';
import type { OptionsFilter } from '@mantine/core';

/** The options that have every word that is typed, without regard to case and accents. The library's filter knows case alone. */
export const foldedFilter: OptionsFilter = ({ options, search, limit }) => {
  let left = limit;
  const fits = ({ label }: { label: string }) => left > 0 && hasWords(label, search) && left-- > 0;
  return options
    .map((option) => ('group' in option ? { ...option, items: option.items.filter(fits) } : option))
    .filter((option) => ('group' in option ? option.items.length > 0 : fits(option)));
};
