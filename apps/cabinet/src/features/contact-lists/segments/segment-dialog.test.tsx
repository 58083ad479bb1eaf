import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { SegmentDialog, type SegmentDraft } from './segment-dialog.tsx';

const ID = '01930000-0000-7000-8000-000000000001';
const label = (name: string, values = {}) => i18n.t(`contactLists:segments.${name}`, values);

async function drawn(draft: SegmentDraft, permissions = {}) {
  const counted: object[] = [];
  const saved: [method: string, path: string, body: object][] = [];
  const save = async ({ request }: { request: Request }) => {
    const body = (await request.json()) as object;
    saved.push([request.method, new URL(request.url).pathname, body]);
    const now = new Date(0).toISOString();
    const row = { id: ID, where: {}, activity: [], OwnerId: ID, createdAt: now, updatedAt: now };
    return HttpResponse.json(
      { ...row, ...body },
      { status: request.method === 'POST' ? 201 : 200 },
    );
  };
  server.use(
    http.post<never, object>('*/api/segments/count', async ({ request }) => {
      counted.push(await request.json());
      return HttpResponse.json({ count: 12_400, exact: false });
    }),
    http.post('*/api/segments', save),
    http.put('*/api/segments/:id', save),
  );
  const close = vi.fn<() => void>();
  const { user } = await draw(<SegmentDialog draft={draft} onClose={close} />, {
    namespaces: ['contactLists'],
    settings: { permissions },
  });
  return { user, counted, saved, close };
}

test('a filter becomes a segment with a condition, whose contacts are counted before', async () => {
  const { user, counted, saved, close } = await drawn({ where: { tag: 'vip' }, activity: [] });
  const submit = await screen.findByRole('button', { name: i18n.t('contactLists:save') });
  expect(submit.hasAttribute('disabled')).toBe(true);
  const number = i18n.t('common:aboutAsMany', { number: '12,400' });
  await screen.findByText(label('found', { number }));
  await user.type(screen.getByLabelText(/^Title/), 'Silent VIPs');
  await user.click(screen.getByRole('button', { name: label('addActivity') }));
  const rules = {
    where: { tag: 'vip' },
    activity: [{ event: 'replied', happened: false, days: 90 }],
  };
  await waitFor(() => expect(counted.at(-1)).toEqual(rules));
  await user.click(submit);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(saved).toEqual([['POST', '/api/segments', { title: 'Silent VIPs', ...rules }]]);
});

test('a condition that is removed is saved as none', async () => {
  const activity = [{ event: 'delivered' as const, happened: true, days: 30 }];
  const draft = { id: ID, title: 'Reached', where: {}, activity };
  const { user, saved, close } = await drawn(draft);
  await user.click(
    await screen.findByRole('button', { name: label('removeActivity', { number: 1 }) }),
  );
  await user.click(screen.getByRole('button', { name: i18n.t('contactLists:save') }));
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  const body = { title: 'Reached', where: {}, activity: [] };
  expect(saved).toEqual([['PUT', `/api/segments/${ID}`, body]]);
});

test('a condition on a field offers the comparisons of its type', async () => {
  server.use(
    http.get('*/api/contactFields', () =>
      HttpResponse.json({
        OwnerId: ID,
        fields: [{ field: 'custom02', title: 'Sum', type: 'number', values: [] }],
      }),
    ),
  );
  const fields = [{ field: 'custom03' as const, is: 'empty' as const }];
  const { user, counted, saved, close } = await drawn(
    { id: ID, title: 'Large', where: { fields }, activity: [] },
    { 'contactLists.get': 'me' },
  );
  const condition = (name: string, number: number) => label(`condition.${name}`, { number });
  await user.click(await screen.findByRole('button', { name: label('condition.add') }));
  const field = screen.getByLabelText(condition('field', 2));
  await within(field).findByRole('option', { name: 'Sum' });
  await user.selectOptions(field, 'custom02');
  const submit = screen.getByRole('button', { name: i18n.t('contactLists:save') });
  expect(submit.hasAttribute('disabled')).toBe(true);
  await user.type(screen.getByLabelText(condition('value', 2)), '1000.5');
  const where = { fields: [...fields, { field: 'custom02', is: 'greater', number: 1000.5 }] };
  await waitFor(() => expect(counted.at(-1)).toEqual({ where, activity: [] }));
  await user.click(
    screen.getByRole('button', {
      name: label('condition.remove', { field: i18n.t('contactLists:customField', { number: 3 }) }),
    }),
  );
  await user.click(submit);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  const rules = { where: { fields: [where.fields[1]] }, activity: [] };
  expect(saved).toEqual([['PUT', `/api/segments/${ID}`, { title: 'Large', ...rules }]]);
});

test('a birthday of the next days asks for their number, at most a year', async () => {
  const { user, counted } = await drawn({ id: ID, title: 'Birthdays', where: {}, activity: [] });
  await user.click(await screen.findByRole('button', { name: label('condition.add') }));
  const is = await screen.findByRole('option', { name: label('tests.anniversaryNextDays') });
  await user.selectOptions(is.closest('select')!, 'anniversaryNextDays');
  const days = screen.getByLabelText(label('days'));
  await user.type(days, '7');
  const field = { field: 'date', is: 'anniversaryNextDays', days: 7 };
  await waitFor(() => expect(counted.at(-1)).toEqual({ where: { fields: [field] }, activity: [] }));
});
