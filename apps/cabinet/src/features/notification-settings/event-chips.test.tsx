import type { NotificationSettings } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, refuse, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { EventChips } from './event-chips.tsx';
import { notificationSettingsQuery } from './notification-settings.api.ts';

const TYPE = 'SendernameApproved';
const PATH = `/notificationSettings/${TYPE}`;
const SETTINGS = {
  events: [
    { type: TYPE, channels: ['web'] },
    { type: 'AuthNewDevice', channels: ['web', 'email'] },
  ],
  telegram: { state: 'linked' },
  email: { state: 'ready' },
} as unknown as NotificationSettings;

function Chips({ readOnly = false }) {
  const { data } = useQuery({ ...notificationSettingsQuery, enabled: false });
  return <EventChips settings={data!} readOnly={readOnly} />;
}

beforeEach(() => queryClient.setQueryData(notificationSettingsQuery.queryKey, SETTINGS));

const drawn = (readOnly?: boolean) =>
  draw(<Chips readOnly={readOnly} />, { namespaces: ['notificationSettings', 'notifications'] });
const chip = (channel: string, type = TYPE) =>
  screen.getByRole<HTMLInputElement>('checkbox', {
    name: `${i18n.t(`notifications:channels.${channel}`)}: ${i18n.t(`notifications:types.${type}.title`)}`,
  });

test('shows a choice before the server answers, and saves it at once', async () => {
  const { user } = await drawn();
  const { promise, resolve } = Promise.withResolvers<void>();
  const bodies = accept('put', PATH, { type: TYPE, channels: ['web', 'telegram'] }, promise);
  expect(chip('telegram').checked).toBe(false);
  await user.click(chip('telegram'));
  expect(chip('telegram').checked).toBe(true);
  expect(chip('web').checked).toBe(true);
  await waitFor(() => expect(bodies).toEqual([{ channel: 'telegram', isOn: true }]));
  resolve();
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(chip('telegram').checked).toBe(true);
});

test('shows the former choice again when the new one is refused', async () => {
  const { user } = await drawn();
  refuse('put', PATH, { code: 'forbidden' }, 403);
  await user.click(chip('web'));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(chip('web').checked).toBe(true);
  expect(chip('telegram').checked).toBe(false);
});

test('is changed by the space bar, twice in the order of the presses', async () => {
  const { user } = await drawn();
  const bodies: object[] = [];
  server.use(
    http.put(`*/api${PATH}`, async ({ request }) => {
      const body = (await request.json()) as { isOn: boolean };
      bodies.push(body);
      const channels = body.isOn ? ['web', 'telegram'] : ['web'];
      return HttpResponse.json({ type: TYPE, channels });
    }),
  );
  await user.tab();
  expect(document.activeElement).toBe(chip('web'));
  await user.tab();
  expect(document.activeElement).toBe(chip('telegram'));
  await user.keyboard('[Space][Space]');
  await waitFor(() =>
    expect(bodies).toEqual([
      { channel: 'telegram', isOn: true },
      { channel: 'telegram', isOn: false },
    ]),
  );
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(chip('telegram').checked).toBe(false);
});

test.each([1, 2, 3])(
  'shows what the server has after on, off and on, of which call %i was refused',
  async (refused) => {
    const { user } = await drawn();
    const { promise, resolve } = Promise.withResolvers<void>();
    let calls = 0;
    let stored = false;
    server.use(
      http.put('*/api/notificationSettings/:type', async ({ request }) => {
        const { isOn } = (await request.json()) as { isOn: boolean };
        await promise;
        calls += 1;
        if (calls === refused) return HttpResponse.json({ code: 'forbidden' }, { status: 403 });
        stored = isOn;
        return HttpResponse.json({ type: TYPE, channels: isOn ? ['web', 'telegram'] : ['web'] });
      }),
    );
    await user.click(chip('telegram'));
    await user.click(chip('telegram'));
    await user.click(chip('telegram'));
    expect(chip('telegram').checked).toBe(true);
    resolve();
    await waitFor(() => expect(calls).toBe(3));
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    expect(stored).toBe(refused !== 3);
    expect(chip('telegram').checked).toBe(stored);
  },
);

test('offers no choice where there is none', async () => {
  await drawn();
  expect(chip('email', 'AuthNewDevice').checked).toBe(true);
  expect(chip('email', 'AuthNewDevice').disabled).toBe(true);
  expect(chip('web', 'AuthNewDevice').disabled).toBe(false);
});

test('cannot be changed by who may only read', async () => {
  await drawn(true);
  expect(screen.getAllByRole<HTMLInputElement>('checkbox').every((c) => c.disabled)).toBe(true);
});
