import type { Sendername } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { SendernameChannels } from './sendername-channels.tsx';

const row = { id: '01930000-0000-7000-8000-0000000000a1' } as Sendername;
const channel = { isActive: true, needsRegistration: true, note: null };

test('a name shows at which channels it is registered, and which need it to be', async () => {
  const data = [
    { ...channel, ChannelId: 'smsc', since: '2026-11-22T09:15:00.000Z', note: 'Contract 17' },
    { ...channel, ChannelId: 'second', isActive: false, since: null },
  ];
  server.use(http.get('*/api/sendernames/:id/channels', () => HttpResponse.json({ data })));
  await draw(<SendernameChannels row={row} />, {
    namespaces: ['sendernames'],
    settings: { permissions: { 'channels.get': 'manager' } },
  });
  expect(await screen.findByText('smsc')).toBeTruthy();
  expect(screen.getByText(/2026.*Contract 17/)).toBeTruthy();
  expect(screen.getByText(i18n.t('sendernames:where.off', { name: 'second' }))).toBeTruthy();
  expect(screen.getByText(i18n.t('sendernames:where.missing'))).toBeTruthy();
});
