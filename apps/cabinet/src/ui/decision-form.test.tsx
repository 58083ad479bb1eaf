import { ApiError, type ErrorBody } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { i18n } from '../core/i18n/i18n.ts';
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
const comment = () => screen.getByRole('textbox', { name: i18n.t('common:decision.forCustomer') });
const button = (name: string) =>
  screen.getByRole('button', { name: i18n.t(`common:decision.${name}`) });
const refusal = (body: Partial<ErrorBody>) =>
  new ApiError(422, { name: 'AppError', code: 'validation', ...body } as ErrorBody, new Headers());

test('asks for the reason of a rejection, until it is written', async () => {
  const onDecide = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const { user } = await drawn(onDecide);
  await user.click(button('reject'));
  await screen.findByText(i18n.t('common:decision.sayWhy'));
  expect(document.activeElement).toBe(comment());
  await user.type(comment(), 'No such company.');
  expect(screen.queryByText(i18n.t('common:decision.sayWhy'))).toBeNull();
  await user.click(button('reject'));
  expect(onDecide).toHaveBeenCalledExactlyOnceWith({
    moderation: 'rejected',
    comment: 'No such company.',
  });
});

test('puts a refused comment on its field', async () => {
  const errors = [{ property: 'privateComment', constraints: { text: 'no such characters' } }];
  const { user } = await drawn(() => Promise.reject(refusal({ errors })));
  await user.click(button('approve'));
  await screen.findByText(i18n.t('errors:rule.text'));
  const field = screen.getByRole('textbox', { name: i18n.t('common:decision.forColleagues') });
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(screen.queryByText(i18n.t('errors:code.validation'))).toBeNull();
});

test('shows a refusal of the decision itself in its summary', async () => {
  const errors = [{ property: 'moderation', constraints: { invalid_value: 'no' } }];
  const { user } = await drawn(() => Promise.reject(refusal({ errors })));
  await user.click(button('approve'));
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toBe(i18n.t('errors:rule.invalid_value'));
  await waitFor(() => expect(document.activeElement).toBe(summary));
});

test('decides once, however often it is clicked', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onDecide = vi.fn<() => Promise<void>>(() => promise);
  const { user } = await drawn(onDecide);
  await user.dblClick(button('approve'));
  await user.click(button('reject'));
  expect(onDecide).toHaveBeenCalledOnce();
  resolve();
});
