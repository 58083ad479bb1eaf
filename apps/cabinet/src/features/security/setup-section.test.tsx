import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { SecondFactorSetupSection } from './setup-section.tsx';

test('after the password the code can be typed at once', async () => {
  accept('post', '/users/me/second-factor/setup', {
    secret: 'ABCDEFGHIJKLMNOP',
    url: 'otpauth://totp/Cabinet:anna?secret=ABCDEFGHIJKLMNOP',
  });
  const { user } = await draw(<SecondFactorSetupSection onDone={() => {}} />, {
    namespaces: ['security'],
  });
  await user.type(
    screen.getByLabelText(new RegExp(`^${i18n.t('security:password')}`)),
    'heliograph{Enter}',
  );
  const code = await screen.findByLabelText(new RegExp(`^${i18n.t('security:code')}`));
  await waitFor(() => expect(document.activeElement).toBe(code));
});
