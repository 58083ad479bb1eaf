import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import { NotificationBell } from './notification-bell.tsx';

test.each([
  ['1.2.0', true],
  [null, false],
])('without notifications a new version (%s) is marked: %j', async (version, isMarked) => {
  await draw(<NotificationBell newVersion={version} />, {
    namespaces: ['shell'],
    settings: { permissions: {} },
  });
  const names = screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label'));
  expect(names).toEqual(isMarked ? [i18n.t('shell:update.to', { version })] : []);
});
