import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OptionsFailure } from './async-options-failure.tsx';
import {
  useFoundOptions,
  useOptionOf,
  useOptionStatus,
  type OptionSource,
  type SelectOption,
} from './async-options.ts';

type FieldProps = Pick<
  SelectProps,
  | 'name'
  | 'label'
  | 'aria-label'
  | 'placeholder'
  | 'description'
  | 'error'
  | 'required'
  | 'disabled'
  | 'clearable'
  | 'onBlur'
> & { 'data-path'?: string };

interface AsyncSelectProps<Row> extends FieldProps {
  source: OptionSource<Row>;
  value: string | null;
  onChange: (value: string | null) => void;
  /** The text of a list that has nothing to choose from. */
  empty?: string;
}

/** One of the rows of a resource: the newest ones, or those that match what is typed. */
export function AsyncSelect<Row>(props: AsyncSelectProps<Row>) {
  const { source, value, onChange, empty, clearable = true, ...field } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState<SelectOption | null>(null);
  const isPicked = picked?.value === value;
  const loaded = useOptionOf(source, value, isPicked);
  const selected = isPicked ? picked : loaded;
  // While nothing is typed the field shows the title of the selected option, which is not a search.
  const search = typed === selected?.label ? '' : typed.trim();
  const found = useFoundOptions(source, search, isOpen);
  const status = useOptionStatus(found, search, empty);
  const { options } = found;
  const isListed = !selected || options.some((option) => option.value === value);
  // The field knows its selected option also while others are searched; it is then not drawn.
  const data = isListed ? options : [selected, ...options];
  return (
    <div>
      <Select
        {...field}
        data={data}
        value={value}
        onChange={(next) => {
          setPicked(data.find((option) => option.value === next) ?? null);
          onChange(next);
        }}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        // The server has searched already.
        filter={({ options: all }) => (search && !isListed ? all.slice(1) : all)}
        nothingFoundMessage={
          status.isFailed ? (
            <OptionsFailure text={status.text} onRetry={found.retry} />
          ) : (
            status.text
          )
        }
        clearable={clearable}
        // By default it is for the pointer alone.
        clearButtonProps={{ 'aria-label': t('common:clear'), 'aria-hidden': false, tabIndex: 0 }}
      />
      <span role="status" className="visually-hidden">
        {isOpen && status.text}
      </span>
    </div>
  );
}
