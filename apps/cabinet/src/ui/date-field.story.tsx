import { useState } from 'react';
import { DateField } from './date-field.tsx';
import { dayAfter } from './dates.ts';

function Story() {
  const [value, setValue] = useState(dayAfter(30));
  return (
    <DateField
      label="Expires"
      description="Between tomorrow and one year ahead."
      min={dayAfter(1)}
      max={dayAfter(365)}
      value={value}
      onChange={setValue}
    />
  );
}

export const story = { title: 'Date field', Story };
