import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { IconAction } from './icon-action.tsx';
import { IconTrash } from './icons.ts';

test('an action is named with its object, and has its word for cards', async () => {
  await draw(<IconAction icon={IconTrash} word="remove" label="Delete “Tea”" onClick={() => {}} />);
  const button = screen.getByRole('button', { name: 'Delete “Tea”' });
  expect(button.textContent).toBe(i18n.t('action.remove'));
});
