import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OptionsFailure } from './async-options-failure.tsx';
import {
  useFoundOptions,
  useOptionOf,
  useOptionStatus,
  type AsyncFieldProps,
  type SelectOption,
} from './async-options.ts';

interface AsyncSelectProps<Row>
  extends AsyncFieldProps<Row>, Pick<SelectProps, 'clearable' | 'onBlur'> {
  value: string | null;
  onChange: (value: string | null) => void;
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
        // Choosing the selected option again keeps it where the field cannot be cleared.
        allowDeselect={clearable}
        clearButtonProps={{
          'aria-label': t('common:clear'),
          // By default it is for the pointer alone.
          'aria-hidden': false,
          tabIndex: 0,
          // The least size of a target (WCAG 2.5.8).
          size: '24px',
        }}
      />
      <span role="status" className="visually-hidden">
        {isOpen && status.text}
      </span>
    </div>
  );
}
