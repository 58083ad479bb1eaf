import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ContactFieldsDialog } from './contact-fields-dialog.tsx';
import { ImportMapping } from './import/import-mapping.tsx';

const LIST = '01930000-0000-7000-8000-0000000000a1';
const TEXT = { type: 'text', values: [] as string[] };
const named = { OwnerId: 'owner', fields: [{ field: 'custom01', title: 'City', ...TEXT }] };

beforeEach(() => {
  server.use(
    http.get('*/api/contactFields', () => HttpResponse.json(named)),
    http.get('*/api/contactLists/:id', () =>
      HttpResponse.json({ id: LIST, title: 'Tea', type: 'regular', OwnerId: 'owner' }),
    ),
  );
});

const settings = {
  permissions: { 'contactLists.get': 'manager', 'contactLists.update': 'manager' },
};
const fieldOf = (number: number) =>
  screen.findByLabelText(i18n.t('contactLists:customField', { number }));

test('names are changed together; two fields have none in common', async () => {
  const bodies = accept('put', '/contactFields', named);
  let isClosed = false;
  const { user } = await draw(<ContactFieldsDialog opened onClose={() => (isClosed = true)} />, {
    namespaces: ['contactLists'],
    settings,
  });
  expect(((await fieldOf(1)) as HTMLInputElement).value).toBe('City');
  await user.type(await fieldOf(3), 'city');
  const save = screen.getByRole('button', { name: i18n.t('contactLists:fields.submit') });
  await user.click(save);
  await screen.findAllByText(i18n.t('errors:rule.unique'));
  expect(bodies).toEqual([]);
  await user.type(await fieldOf(3), ' size');
  await user.click(save);
  await waitFor(() => expect(isClosed).toBe(true));
  expect(bodies).toEqual([
    {
      fields: [
        { field: 'custom01', title: 'City', ...TEXT },
        { field: 'custom03', title: 'city size', ...TEXT },
      ],
    },
  ]);
});

test('a column of a file makes a field of its name, named before the import begins', async () => {
  const bodies = accept('put', '/contactFields', named);
  const orders: object[] = [];
  const preview = {
    columns: [
      { name: 'Phone', field: 'phone' as const },
      { name: 'Discount', field: null },
      { name: 'City', field: null },
    ],
    hasHeader: true,
    dateOrder: null,
    several: 0,
    rows: [['+79161234567', '10', 'Kazan']],
    sheets: [],
    sheet: null,
  };
  const { user } = await draw(
    <ImportMapping
      listId={LIST}
      fileKey="file"
      preview={preview}
      order={(order) => orders.push(order)}
      isPending={false}
      isReading={false}
      onBack={() => {}}
    />,
    { namespaces: ['contactLists'], settings },
  );
  const goesTo = (column: string) =>
    screen.getByLabelText(i18n.t('contactLists:mapping.goesTo', { column }));
  const option = (column: string, name: string) =>
    within(goesTo(column)).findByRole('option', { name });
  const offer = (title: string) => i18n.t('contactLists:mapping.newField', { title });
  await user.selectOptions(goesTo('Discount'), await option('Discount', offer('Discount')));
  // The name that a field has already is chosen, not made again.
  await user.selectOptions(goesTo('City'), await option('City', 'City'));
  expect(within(goesTo('City')).queryByRole('option', { name: offer('City') })).toBeNull();
  await user.click(screen.getByRole('button', { name: i18n.t('contactLists:importSubmit') }));
  await waitFor(() => expect(orders).toHaveLength(1));
  expect(bodies).toEqual([
    {
      fields: [
        { field: 'custom01', title: 'City', ...TEXT },
        { field: 'custom02', title: 'Discount', ...TEXT },
      ],
    },
  ]);
  expect(orders[0]).toMatchObject({ columns: { '0': 'phone', '1': 'custom02', '2': 'custom01' } });
});

test('a field gets a type; what does not fit it is told before', async () => {
  const bodies = accept('put', '/contactFields', named);
  const checked: object[] = [];
  server.use(
    http.post<never, object>('*/api/contactFields/check', async ({ request }) => {
      checked.push(await request.json());
      return HttpResponse.json({ filled: 340, misfits: 12 });
    }),
  );
  const { user } = await draw(<ContactFieldsDialog opened onClose={() => {}} />, {
    namespaces: ['contactLists'],
    settings: { permissions: { ...settings.permissions, 'contacts.get': 'manager' } },
  });
  const label = i18n.t('contactLists:customField', { number: 1 });
  const ofField = (name: 'type' | 'values') => `${i18n.t(`contactLists:fields.${name}`)}: ${label}`;
  const choose = async (type: string) =>
    user.selectOptions(await screen.findByLabelText(ofField('type')), type);
  await choose('number');
  await screen.findByText(i18n.t('contactLists:fields.misfits', { number: '12', total: '340' }));
  await choose('choice');
  const save = screen.getByRole('button', { name: i18n.t('contactLists:fields.submit') });
  await user.click(save);
  await screen.findByText(i18n.t('errors:rule.required'));
  expect(bodies).toEqual([]);
  await user.type(screen.getByLabelText(ofField('values')), 'Omsk{Enter}Kazan{Enter}');
  await user.click(save);
  await waitFor(() => expect(bodies).toHaveLength(1));
  const city = { field: 'custom01', title: 'City', type: 'choice', values: ['Omsk', 'Kazan'] };
  expect(bodies).toEqual([{ fields: [city] }]);
  expect(checked[0]).toEqual({ field: 'custom01', type: 'number', values: [] });
});
