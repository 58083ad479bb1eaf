import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { useDebouncedInput } from './use-debounced-input.ts';

const heard = vi.fn<(value: string) => void>();

function Search() {
  const [value, setValue] = useState('');
  const { text, setText, onLeave } = useDebouncedInput(value, (next) => {
    heard(next);
    setValue(next);
  });
  return (
    <>
      <input value={text} onChange={(e) => setText(e.currentTarget.value)} onBlur={onLeave} />
      <button onClick={() => setValue('')}>Clear</button>
      <output>{value}</output>
    </>
  );
}

test('what was typed does not come back after all was cleared', async () => {
  const { user } = await draw(<Search />);
  const field = screen.getByRole<HTMLInputElement>('textbox');
  await user.click(field);
  // Without a pause between the keys, however busy the machine is.
  for (const typed of ['t', 'te', 'tea']) fireEvent.change(field, { target: { value: typed } });
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await act(() => new Promise((resolve) => setTimeout(resolve, 700)));
  expect(field.value).toBe('');
  expect(screen.getByRole('status').textContent).toBe('');
  expect(heard.mock.calls).toEqual([['tea']]);
});
