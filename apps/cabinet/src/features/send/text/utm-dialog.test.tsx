import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { i18n } from '../../../core/i18n/i18n.ts';
import { UtmDialog } from './utm-dialog.tsx';

test('a submit with wrong fields moves the focus to the first of them', async () => {
  const onInsert = vi.fn<(link: string) => void>();
  const { user } = await draw(<UtmDialog onClose={() => {}} onInsert={onInsert} />, {
    namespaces: ['send'],
    settings: { frontend: { brand: 'main' } },
  });
  const field = (name: string) =>
    screen.getByRole('textbox', { name: new RegExp(`^${i18n.t(`send:utm.${name}`)}`) });
  const insert = screen.getByRole('button', { name: i18n.t('send:utm.insert') });
  await user.click(insert);
  await waitFor(() => expect(document.activeElement).toBe(field('url')));
  await user.type(field('url'), 'tea.shop/sale');
  await user.type(field('source'), 'autumn');
  await user.click(insert);
  expect(document.activeElement).toBe(field('campaign'));
  expect(onInsert).not.toHaveBeenCalled();
});
