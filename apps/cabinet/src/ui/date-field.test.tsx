import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { DateField } from './date-field.tsx';
import { dayAfter } from './dates.ts';

function Field() {
  const [value, setValue] = useState('');
  return (
    <DateField
      label="Expires"
      min={dayAfter(1)}
      max={dayAfter(365)}
      value={value}
      onChange={setValue}
    />
  );
}
const choose = (value: string) =>
  fireEvent.change(screen.getByLabelText('Expires'), { target: { value } });
const daysLeft = (count: number) => i18n.t('common:date.daysLeft', { count });

test('shows the days until the chosen day, and none for a day outside of the limits', async () => {
  await draw(<Field />);
  const input = screen.getByLabelText<HTMLInputElement>('Expires');
  expect([input.min, input.max]).toEqual([dayAfter(1), dayAfter(365)]);
  choose(dayAfter(1));
  expect(screen.getByText(daysLeft(1))).toBeTruthy();
  choose(dayAfter(90));
  expect(screen.getByText(daysLeft(90)).getAttribute('aria-live')).toBe('polite');
  choose(dayAfter(400));
  expect(screen.queryByText(daysLeft(400))).toBeNull();
  choose('');
  expect(screen.queryByText(daysLeft(90))).toBeNull();
});
