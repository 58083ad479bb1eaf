import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useState } from 'react';
import { OptionsFailure } from './async-options-failure.tsx';
import {
  useFoundOptions,
  useOptionStatus,
  type AsyncFieldProps,
  type SelectOption,
} from './async-options.ts';

interface AsyncMultiSelectProps<Row>
  extends AsyncFieldProps<Row>, Pick<MultiSelectProps, 'maxValues'> {
  value: string[];
  onChange: (values: string[]) => void;
  /** The options of the first value, with their titles. */
  selected?: readonly SelectOption[];
}

/** Several rows of a resource, as `AsyncSelect` selects one. */
export function AsyncMultiSelect<Row>(props: AsyncMultiSelectProps<Row>) {
  const { source, value, onChange, selected = [], empty, ...field } = props;
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const search = typed.trim();
  const found = useFoundOptions(source, search, isOpen);
  const status = useOptionStatus(found, search, empty);
  // What was selected keeps its title when something else is searched.
  const [known, setKnown] = useState(selected);
  const all = new Map([...known, ...found.options].map((option) => [option.value, option]));
  const isFound = ({ value: one }: { value: string }) =>
    found.options.some((option) => option.value === one);
  return (
    <div>
      <MultiSelect
        {...field}
        data={[...all.values()]}
        value={value}
        onChange={(values) => {
          setKnown(values.flatMap((one) => all.get(one) ?? []));
          onChange(values);
        }}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        // The server has searched already.
        filter={({ options }) =>
          search ? options.filter((option) => 'value' in option && isFound(option)) : options
        }
        nothingFoundMessage={
          status.isFailed ? (
            <OptionsFailure text={status.text} onRetry={found.retry} />
          ) : (
            status.text
          )
        }
      />
      <span role="status" className="visually-hidden">
        {isOpen && status.text}
      </span>
    </div>
  );
}
