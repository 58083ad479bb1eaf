import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { errorText } from '../core/errors.ts';
import { FIND_DEBOUNCE_MS } from '../core/list-request.ts';
import { keysOf, type Noun } from '../core/query-keys.ts';

const NEWEST = 10;
const MAX_FOUND = 25;

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

/** The rows that a field offers. The names of the noun and `params` are the key under which they are cached. */
export interface OptionSource<Row> {
  noun: Noun;
  /** What else the rows depend on, such as an account. */
  params?: readonly unknown[];
  /** A page of rows: the newest ones when nothing is searched. */
  find: (
    query: { limit: number; search: string | undefined },
    signal: AbortSignal,
  ) => Promise<{ data: Row[] }>;
  /** The row of a value that is on no loaded page; absent where values are their own titles. */
  get?: (value: string, signal: AbortSignal) => Promise<Row>;
  toOption: (row: Row) => SelectOption;
}

/** What `AsyncSelect` and `AsyncMultiSelect` have in common. */
export interface AsyncFieldProps<Row> extends Pick<
  SelectProps,
  | 'name'
  | 'label'
  | 'aria-label'
  | 'placeholder'
  | 'description'
  | 'error'
  | 'required'
  | 'disabled'
> {
  source: OptionSource<Row>;
  /** The text of a list that has nothing to choose from. */
  empty?: string;
  'data-path'?: string;
}

/** The options for a search. They are loaded when the list is opened, and after a pause in typing. */
export function useFoundOptions<Row>(source: OptionSource<Row>, search: string, isOpen: boolean) {
  const { noun, params = [], find, toOption } = source;
  const [debounced] = useDebouncedValue(search, FIND_DEBOUNCE_MS);
  // A search that was removed needs no pause.
  const asked = search && debounced;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keysOf(noun).of('options', ...params, asked),
    queryFn: ({ signal }) =>
      find({ limit: asked ? MAX_FOUND : NEWEST, search: asked || undefined }, signal),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  });
  return {
    options: data?.data.map(toOption) ?? [],
    error,
    isSearching: isFetching || asked !== search,
    retry: () => void refetch(),
  };
}

/** The option of a value that nobody has loaded: its own title, and the value itself until that is known. */
export function useOptionOf<Row>(
  source: OptionSource<Row>,
  value: string | null,
  isKnown: boolean,
): SelectOption | null {
  const { noun, params = [], get, toOption } = source;
  const { data } = useQuery({
    queryKey: keysOf(noun).of('option', ...params, value),
    queryFn: ({ signal }) => get!(value!, signal),
    enabled: !!value && !!get && !isKnown,
  });
  if (!value) return null;
  return data ? toOption(data) : { value, label: value };
}

type FoundOptions = ReturnType<typeof useFoundOptions>;

/** The status of the options: how many there are, or why there are none. */
export function useOptionStatus(found: FoundOptions, search: string, empty: string | undefined) {
  const { t } = useTranslation();
  const { options, error, isSearching } = found;
  const isFailed = !isSearching && !options.length && !!error;
  if (isSearching) return { text: t('common:searching'), isFailed };
  if (isFailed) return { text: errorText(t, error), isFailed };
  if (options.length)
    return { text: t('common:options.found', { count: options.length }), isFailed };
  const none = empty ?? t('common:options.none');
  return { text: search ? t('common:nothingFound') : none, isFailed };
}
