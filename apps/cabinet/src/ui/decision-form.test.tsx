import { ApiError, type ErrorBody } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { DecisionForm } from './decision-form.tsx';

const drawn = (onDecide: (verdict: object) => Promise<unknown>) =>
  draw(
    <DecisionForm
      label="Decide"
      decisions={['approved', 'rejected']}
      hasPrivate
      onDecide={onDecide}
    />,
  );
const comment = () => screen.getByRole('textbox', { name: 'Comment for the customer' });
const button = (name: string) => screen.getByRole('button', { name });
const refusal = (body: Partial<ErrorBody>) =>
  new ApiError(422, { name: 'AppError', code: 'validation', ...body } as ErrorBody, new Headers());

test('asks for the reason of a rejection, until it is written', async () => {
  const onDecide = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const { user } = await drawn(onDecide);
  await user.click(button('Reject'));
  await screen.findByText('Say why it is rejected.');
  expect(document.activeElement).toBe(comment());
  await user.type(comment(), 'No such company.');
  expect(screen.queryByText('Say why it is rejected.')).toBeNull();
  await user.click(button('Reject'));
  expect(onDecide).toHaveBeenCalledExactlyOnceWith({
    moderation: 'rejected',
    comment: 'No such company.',
  });
});

test('puts a refused comment on its field', async () => {
  const errors = [{ property: 'privateComment', constraints: { text: 'no such characters' } }];
  const { user } = await drawn(() => Promise.reject(refusal({ errors })));
  await user.click(button('Approve'));
  await screen.findByText('Some characters cannot be sent.');
  const field = screen.getByRole('textbox', { name: 'Private comment' });
  expect(document.activeElement).toBe(field);
  expect(screen.queryByText('Check the marked fields.')).toBeNull();
});

test('shows a refusal of the decision itself in its summary', async () => {
  const errors = [{ property: 'moderation', constraints: { invalid_value: 'no' } }];
  const { user } = await drawn(() => Promise.reject(refusal({ errors })));
  await user.click(button('Approve'));
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toBe('moderation: Choose one of the values offered.');
  await waitFor(() => expect(document.activeElement).toBe(summary));
});

test('decides once, however often it is clicked', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onDecide = vi.fn<() => Promise<void>>(() => promise);
  const { user } = await drawn(onDecide);
  await user.dblClick(button('Approve'));
  await user.click(button('Reject'));
  expect(onDecide).toHaveBeenCalledOnce();
  resolve();
});
