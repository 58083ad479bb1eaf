import { Notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { SecretOnce } from './secret-once.tsx';

const SECRET = 'hg_k7m2qx9w4ctr_secret';
const input = () => screen.getByLabelText<HTMLInputElement>('Token');
const button = (key: string) => screen.getByRole('button', { name: i18n.t(key) });
const secret = <SecretOnce label="Token" value={SECRET} shown={15} warning="Store it now." />;

test('is hidden until it is shown, and is not in the page until then', async () => {
  const { user } = await draw(secret);
  expect(input().value).toMatch(/^hg_k7m2qx9w4ctr•+$/);
  expect(document.body.innerHTML).not.toContain('secret');
  await user.click(button('common:secret.show'));
  expect(input().value).toBe(SECRET);
  await user.click(button('common:secret.hide'));
  expect(input().value).not.toContain('secret');
});

test('is copied while it is hidden, and says so', async () => {
  const { user } = await draw(
    <>
      {secret}
      <Notifications />
    </>,
  );
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(button('common:secret.copy'));
  expect(write).toHaveBeenCalledWith(SECRET);
  await screen.findByText(i18n.t('copied'));
  await screen.findByText(i18n.t('common:copiedText', { text: 'Token' }));
});
