import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { NumberField } from './number-field.tsx';

function Field(props: { scale?: number; min?: number; max?: number }) {
  const [value, setValue] = useState<number | null>(5);
  return (
    <>
      <NumberField label="Share" unit="%" {...props} value={value} onChange={setValue} />
      <output>{JSON.stringify(value)}</output>
      <button onClick={() => setValue(7)}>Set</button>
    </>
  );
}
const input = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Share' });
const value = () => screen.getByRole('status').textContent;

test('reads a comma and a dot, and at most its decimals', async () => {
  const { user } = await draw(<Field />);
  await user.clear(input());
  expect(value()).toBe('null');
  await user.type(input(), '12,345');
  expect(value()).toBe('12.34');
  expect(input().getAttribute('aria-valuetext')).toBe('12,34 %');
});

test('takes whole numbers alone with a scale of 0, and a minus only below zero', async () => {
  const { user } = await draw(<Field scale={0} />);
  await user.clear(input());
  await user.type(input(), '-1.5');
  expect(value()).toBe('15');
});

test('marks a number out of its range when it is left', async () => {
  const { user } = await draw(<Field min={1} max={10} />);
  const rule = i18n.t('common:number.range', { min: 1, max: 10 });
  await user.clear(input());
  await user.type(input(), '11');
  expect(screen.queryByText(rule)).toBeNull();
  await user.tab();
  expect(screen.getByText(rule)).toBeTruthy();
  expect(input().getAttribute('aria-invalid')).toBe('true');
});

test('counts with the arrow keys, within its range', async () => {
  const { user } = await draw(<Field min={4} max={6} />);
  await user.click(input());
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(value()).toBe('6');
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(value()).toBe('4');
});

test('shows a value that was set from outside', async () => {
  const { user } = await draw(<Field />);
  await user.click(screen.getByRole('button', { name: 'Set' }));
  expect(input().value).toBe('7');
});
