import type { Channel } from '@heliograph/contract';
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ChannelWatch } from './channel-watch.tsx';

const AT = '2026-11-22T09:15:00.000Z';
const ID = '01930000-0000-7000-8000-0000000000a1';
const session = { worker: 'worker-1', connectedAt: null, error: 'bind refused' };
const row = { id: 'smsc', state: { sessions: [session] } } as unknown as Channel;
const minute = { at: AT, accepted: 60, rejected: 2, throttled: 0, unsent: 0, unknown: 0 };
const live = {
  waiting: 7,
  inFlight: 3,
  rateNow: 24.56,
  rateAllowed: 25,
  failures: 0,
  pausedUntil: null,
  limits: [
    {
      sender: 'MIRTEA',
      country: 'KZ',
      mccmnc: null,
      rate: 1.5,
      burst: 4,
      perDay: 200,
      allowedNow: 2,
      usedToday: 120,
      waiting: 37,
    },
  ],
  minutes: [minute],
  receipts: { count: 10, p50: 3, p95: 18 },
  networks: [
    { mccmnc: '25001', hour: { delivered: 3, failed: 1 }, day: { delivered: 9, failed: 1 } },
    { mccmnc: null, hour: { delivered: 0, failed: 0 }, day: { delivered: 1, failed: 0 } },
  ],
  alarms: [{ kind: 'delivery', mccmnc: '25001', since: AT, endedAt: null }],
};
const exchange = {
  id: ID,
  at: AT,
  outcome: 'rejected',
  SendingIds: [ID],
  tails: ['4567'],
  messages: 3,
  request: 'submit_sm destination_addr=…4567',
  answer: 'submit_sm_resp command_status=ESME_RINVDSTADR',
  ms: 84,
};

test('what a channel does now is shown, and the exchanges are searched', async () => {
  const asked: URL[] = [];
  server.use(
    http.get('*/api/channels/smsc/live', () => HttpResponse.json(live)),
    http.get('*/api/channels/smsc/exchanges', ({ request }) => {
      asked.push(new URL(request.url));
      return HttpResponse.json({ data: [exchange] });
    }),
    http.get('*/api/operators', () =>
      HttpResponse.json({ data: [{ mccmnc: '25001', name: 'MTS', country: 'RU' }] }),
    ),
  );
  const { user } = await draw(<ChannelWatch row={row} />, { namespaces: ['channels'] });
  expect(await screen.findByText('24.6 of 25')).toBeTruthy();
  expect(screen.getByText('bind refused')).toBeTruthy();
  const limit = await screen.findByRole('row', { name: /MIRTEA/ });
  expect(
    within(limit)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['MIRTEA · Kazakhstan', '1.5', '2', '120 of 200', '37']);
  expect(await screen.findByRole('cell', { name: 'MTS' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: '75%' })).toBeTruthy();
  expect(screen.getByText(new RegExp(i18n.t('channels:alarm.delivery')))).toBeTruthy();
  await user.click(await screen.findByText(i18n.t('channels:rehearsal.result.rejected')));
  expect(screen.getByText(exchange.answer)).toBeTruthy();
  const field = screen.getByRole('textbox', { name: i18n.t('channels:exchanges.search') });
  await user.type(field, '4567');
  await user.click(screen.getByRole('checkbox', { name: i18n.t('channels:exchanges.failed') }));
  await expect
    .poll(() => asked.map(({ search }) => search).at(-1))
    .toMatch(/tail=4567&isFailed=true$/);
  await user.clear(field);
  await user.type(field, ID);
  await expect.poll(() => asked.at(-1)?.search).toMatch(new RegExp(`SendingId=${ID}`));
});
