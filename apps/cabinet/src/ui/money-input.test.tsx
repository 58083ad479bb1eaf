import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { MoneyInput } from './money-input.tsx';

function Field() {
  const [sum, setSum] = useState('');
  return <MoneyInput label="Sum" currency="EUR" value={sum} onChange={setSum} />;
}
const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Sum' });

test.each([
  ['1000,50', '1000,50'],
  ['1000.5', '1000.5'],
  ['12.345', '12.34'],
  ['-7a.8x', '7.8'],
  ['1,2,3', '1,23'],
  ['15,', '15'],
])('takes %j as %j', async (typed, taken) => {
  const { user } = await draw(<Field />);
  await user.type(input(), typed);
  await user.tab();
  expect(input().value).toBe(taken);
});

test('is changed after the press of a button that leaves it, so that the button does not move from under the pointer', async () => {
  const { user } = await draw(
    <>
      <Field />
      <button>Pay</button>
    </>,
  );
  await user.type(input(), '15,');
  const pay = screen.getByRole('button', { name: 'Pay' });
  await user.pointer({ keys: '[MouseLeft>]', target: pay });
  expect(document.activeElement).toBe(pay);
  expect(input().value).toBe('15,');
  await user.pointer({ keys: '[/MouseLeft]', target: pay });
  await waitFor(() => expect(input().value).toBe('15'));
});

test('takes a pasted sum with grouped digits, and nothing of a pasted text', async () => {
  const { user } = await draw(<Field />);
  await user.click(input());
  await user.paste('1\u00a0234,56');
  await user.tab();
  expect(input().value).toBe('1234,56');
  await user.tripleClick(input());
  await user.paste('29.899,50\u00a0₽');
  expect(input().value).toBe('29899,50');
  await user.clear(input());
  await user.paste('12 teas');
  expect(input().value).toBe('');
});
