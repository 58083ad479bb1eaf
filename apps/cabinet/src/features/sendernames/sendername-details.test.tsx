import type { Sendername } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { SendernameDetails } from './sendername-details.tsx';

const name = {
  id: '01930000-0000-7000-8000-000000000001',
  name: 'TEA',
  type: 'sms',
  moderation: 'rejected',
  isActive: true,
  meta: { comment: null, resellerComment: 'Send the contract' },
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
} as unknown as Sendername;

const drawn = (row: Sendername) =>
  draw(<SendernameDetails row={row} />, { namespaces: ['sendernames'] });

test('a rejected name says once why, and not that it is active', async () => {
  await drawn(name);
  expect(screen.getAllByText('Send the contract')).toHaveLength(1);
  expect(screen.queryByText('Active')).toBeNull();
});

test('an approved name says whether it is offered, and what the comment is', async () => {
  await drawn({ ...name, moderation: 'approved' });
  expect(screen.getByText('Active')).toBeTruthy();
  expect(screen.getByText('Send the contract')).toBeTruthy();
});
