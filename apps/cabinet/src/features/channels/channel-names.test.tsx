import type { Channel } from '@heliograph/contract';
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ChannelNames } from './channel-names.tsx';

const AT = '2026-11-22T09:15:00.000Z';
const ID = '01930000-0000-7000-8000-0000000000a1';
const row = { name: 'smsc', needsRegistration: true } as unknown as Channel;
const name = {
  id: ID,
  ChannelId: 'smsc',
  name: 'MIRTEA',
  type: 'sms',
  since: AT,
  note: 'Contract 17',
  createdAt: AT,
};
const pageOf = (data: object[]) => ({ data, total: data.length, limit: 20, offset: 0 });

test('registered names are listed, pasted with a result for each, and removed', async () => {
  const posted: object[] = [];
  const removed: string[] = [];
  server.use(
    http.get('*/api/channels/smsc/sendernames', () =>
      HttpResponse.json(pageOf(removed.length ? [] : [name])),
    ),
    http.post('*/api/channels/smsc/sendernames', async ({ request }) => {
      const body = (await request.json()) as { names: string[] };
      posted.push(body);
      const results = body.names.map((one) => ({
        name: one,
        result: one === '12' ? 'invalid' : 'added',
      }));
      return HttpResponse.json({ results });
    }),
    http.delete('*/api/channels/smsc/sendernames/:id', ({ params }) => {
      removed.push(String(params.id));
      return HttpResponse.json({ id: params.id });
    }),
  );
  const { user } = await draw(<ChannelNames row={row} />, {
    namespaces: ['channels'],
    settings: { permissions: { 'channels.get': 'manager', 'channels.update': 'manager' } },
  });
  expect(await screen.findByRole('cell', { name: 'MIRTEA' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: 'Contract 17' })).toBeTruthy();
  expect(screen.getByText(i18n.t('channels:names.only'))).toBeTruthy();

  await user.click(screen.getByRole('button', { name: i18n.t('channels:names.add') }));
  const dialog = await screen.findByRole('dialog');
  const list = within(dialog).getByRole('textbox', {
    name: new RegExp(i18n.t('channels:names.list')),
  });
  await user.click(list);
  await user.paste(' TEA \n\n12\nMirTea');
  const submit = within(dialog).getByRole('button', { name: i18n.t('channels:names.submit') });
  await user.click(submit);
  await expect.poll(() => posted).toEqual([{ names: ['TEA', '12', 'MirTea'], type: 'sms' }]);
  // What was refused is said, and stays to be corrected.
  expect(await within(dialog).findByText(i18n.t('channels:names.refused'))).toBeTruthy();
  expect((list as HTMLTextAreaElement).value).toBe('12');
  await user.clear(list);
  await user.type(list, 'TEA2');
  await user.click(submit);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();

  const remove = i18n.t('channels:names.remove', { name: 'MIRTEA' });
  await user.click(screen.getByRole('button', { name: remove }));
  const question = await screen.findByRole('dialog');
  await user.click(within(question).getByRole('button', { name: remove }));
  await expect.poll(() => removed).toEqual([ID]);
  expect(await screen.findByText(i18n.t('channels:names.none'))).toBeTruthy();
});

test('who may only see channels changes no names', async () => {
  server.use(http.get('*/api/channels/smsc/sendernames', () => HttpResponse.json(pageOf([name]))));
  await draw(<ChannelNames row={{ ...row, needsRegistration: false }} />, {
    namespaces: ['channels'],
    settings: { permissions: { 'channels.get': 'manager' } },
  });
  expect(await screen.findByRole('cell', { name: 'MIRTEA' })).toBeTruthy();
  expect(screen.getByText(i18n.t('channels:names.any'))).toBeTruthy();
  expect(screen.queryByRole('button', { name: i18n.t('channels:names.add') })).toBeNull();
});
