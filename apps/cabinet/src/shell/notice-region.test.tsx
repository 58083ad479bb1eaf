import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { showSuccess } from '../core/toast.tsx';
import { NoticeRegion } from './notice-region.tsx';

test('five notices are shown at once, and those after them wait', async () => {
  await draw(<NoticeRegion small={false} />);
  for (const name of ['1', '2', '3', '4', '5', '6', '7']) showSuccess(`Notice ${name}`);
  await screen.findByText('Notice 5');
  expect(screen.getAllByText(/^Notice \d$/).map((one) => one.textContent)).toEqual(
    expect.arrayContaining(['Notice 1', 'Notice 2', 'Notice 3', 'Notice 4', 'Notice 5']),
  );
  expect(screen.getAllByText(/^Notice \d$/)).toHaveLength(5);
});
