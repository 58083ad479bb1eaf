import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useFormState } from './form-state.ts';

const row = (text: string) => ({ text });

function drawState() {
  const { result } = renderHook(() => useFormState({ title: '', rows: ['a', 'b', 'c'].map(row) }));
  act(() =>
    result.current.setErrors({
      title: 'short',
      rows: 'few',
      'rows.1.text': 'b',
      'rows.2.text': 'c',
    }),
  );
  return result;
}

test('errors of rows move with their rows', () => {
  const form = drawState();
  const [a, b, c] = form.current.values.rows;
  act(() => form.current.patch({ rows: [c!, a!, b!] }));
  expect(form.current.errors).toEqual({ title: 'short', 'rows.0.text': 'c', 'rows.2.text': 'b' });
  act(() => form.current.patch({ rows: [a!, b!] }));
  expect(form.current.errors).toEqual({ title: 'short', 'rows.1.text': 'b' });
});

test('errors of a row that is changed are cleared, those of the others stay', () => {
  const form = drawState();
  act(() => form.current.patch({ rows: form.current.values.rows.with(1, row('d')) }));
  expect(form.current.errors).toEqual({ title: 'short', 'rows.2.text': 'c' });
  act(() => form.current.patch({ title: 'long' }));
  expect(form.current.errors).toEqual({ 'rows.2.text': 'c' });
});
