import type { Sending } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { i18n } from '../../../core/i18n/i18n.ts';
import { draw } from '../../../../test/draw.tsx';
import { accept, refuse } from '../../../../test/server.ts';
import { ResendDialog, ResendForm } from './resend-dialog.tsx';

const sending = {
  id: '01930000-0000-7000-8000-000000000201',
  OwnerId: 'owner',
  type: 'sms',
  recipient: '79990000000',
  payload: { sender: 'ANNA', text: 'Hello' },
  state: { status: 'delivered' },
} as Sending;
const onSent = vi.fn<(id: string) => void>();

async function drawn() {
  onSent.mockClear();
  accept('post', '/sendings/estimate', { amount: 2, currency: 'RUB', enough: true });
  const page = await draw(<ResendForm sending={sending} onClose={() => {}} onSent={onSent} />, {
    namespaces: ['sendings', 'sendernames', 'send'],
  });
  return page.user;
}
const text = () => screen.getByRole('textbox', { name: i18n.t('sendings:text') });
const submit = () =>
  screen.getByRole('button', { name: new RegExp(i18n.t('sendings:resend.submit')) });

test('puts a refused text on its field, until it is corrected', async () => {
  const user = await drawn();
  refuse('post', '/sendings', {
    errors: [{ property: 'payload.text', constraints: { text: 'no such characters' } }],
  });
  await user.click(submit());
  await screen.findByText(i18n.t('errors:rule.text'));
  expect(document.activeElement).toBe(text());
  await user.type(text(), '!');
  expect(screen.queryByText(i18n.t('errors:rule.text'))).toBeNull();
});

test('shows a refused field that it does not draw', async () => {
  const user = await drawn();
  refuse('post', '/sendings', {
    data: [{ field: 'recipient', type: 'phone', message: 'no phone' }],
  });
  await user.click(submit());
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toBe(
    `${i18n.t('errors:fieldName.recipient')}: ${i18n.t('errors:rule.phone')}`,
  );
  await waitFor(() => expect(document.activeElement).toBe(summary));
});

test('marks an empty text without a call', async () => {
  const user = await drawn();
  const bodies = accept('post', '/sendings');
  await user.clear(text());
  await user.click(submit());
  await waitFor(() => expect(document.activeElement).toBe(text()));
  expect(text().getAttribute('aria-invalid')).toBe('true');
  expect(bodies).toEqual([]);
});

test('shows why a message was refused after validation', async () => {
  const user = await drawn();
  accept('post', '/sendings', { id: 'x', status: 'failed', code: 'blacklisted' });
  await user.click(submit());
  expect((await screen.findByRole('alert')).textContent).toBe(i18n.t('sendings:error.blacklisted'));
  expect(onSent).not.toHaveBeenCalled();
});

test('sends a double click once', async () => {
  const user = await drawn();
  const { promise, resolve } = Promise.withResolvers<void>();
  const bodies = accept('post', '/sendings', { id: 'new', status: 'pending' }, promise);
  await user.dblClick(submit());
  resolve();
  await waitFor(() => expect(onSent).toHaveBeenCalledExactlyOnceWith('new'));
  expect(bodies).toHaveLength(1);
});

test('an e-mail in Markdown goes by another channel without its marks', async () => {
  accept('post', '/sendings/estimate', { amount: 2, currency: 'RUB', enough: true });
  const email = {
    ...sending,
    type: 'email',
    recipient: 'anna@tea.example',
    payload: { sender: 'tea@tea.example', text: '**Hello**', format: 'markdown' },
  } as Sending;
  await draw(<ResendDialog sending={email} opened onClose={() => {}} onSent={onSent} />, {
    namespaces: ['sendings', 'sendernames', 'send'],
  });
  // The account has no e-mail any more.
  const box = await screen.findByRole('textbox', { name: i18n.t('sendings:text') });
  expect(box).toHaveProperty('value', 'Hello');
});
