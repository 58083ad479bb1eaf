import type { Contact } from '@heliograph/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { accept, server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { queryClient } from '../../../core/query.ts';
import { contactListQuery } from '../contact-lists.api.ts';
import { ContactForm } from './contact-form.tsx';
import { EditableCell } from './editable-cell.tsx';

const LIST = '01930000-0000-7000-8000-0000000000a1';
const ID = '01930000-0000-7000-8000-0000000000a2';
const LEVEL = { field: 'custom05', title: 'Level', type: 'choice', values: ['Gold', 'Silver'] };
const SUM = { field: 'custom02', title: 'Sum', type: 'number', values: [] };
const contact = {
  id: ID,
  ListId: LIST,
  email: 'anna@example.org',
  phone: null,
  custom02: 'many',
  custom05: 'Tin',
  tags: [],
} as unknown as Contact;
const options = {
  namespaces: ['contactLists'],
  settings: { permissions: { 'contactLists.get': 'manager' as const } },
};

beforeEach(() => {
  server.use(
    http.get('*/api/contactFields', () =>
      HttpResponse.json({ OwnerId: 'owner', fields: [SUM, LEVEL] }),
    ),
  );
  // Of the page around the form: without it the form asks for the fields of the own account first.
  queryClient.setQueryData(contactListQuery(LIST).queryKey, {
    id: LIST,
    title: 'Tea',
    type: 'regular',
    OwnerId: 'owner',
  } as never);
});

test('the form asks for a value of the type of each field, and leaves what does not fit as it is', async () => {
  const bodies = accept('put', `/contacts/${ID}`, contact);
  const { user } = await draw(
    <ContactForm listId={LIST} contact={contact} onClose={() => {}} />,
    options,
  );
  const level = await screen.findByRole('combobox', { name: 'Level' });
  const offered = within(level)
    .getAllByRole('option')
    .map((one) => one.textContent);
  expect(offered).toEqual(['—', 'Gold', 'Silver', 'Tin']);
  await user.selectOptions(level, 'Gold');
  const save = screen.getByRole('button', { name: i18n.t('contactLists:save') });
  const sum = screen.getByLabelText('Sum');
  await user.type(sum, ' more');
  await user.click(save);
  await screen.findAllByText(i18n.t('contactLists:rule.number'));
  expect(bodies).toEqual([]);
  await user.clear(sum);
  await user.type(sum, 'many');
  await user.click(save);
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(bodies[0]).toMatchObject({ custom02: 'many', custom05: 'Gold' });
});

test('a cell of the table saves a number in its form, and offers the values of a choice', async () => {
  const bodies = accept('put', `/contacts/${ID}`, contact);
  const cell = (field: 'custom02' | 'custom05', type: typeof SUM | typeof LEVEL) => (
    <EditableCell row={contact} field={field} name={type.title} type={type as never} />
  );
  const { user } = await draw(
    <>
      {cell('custom02', SUM)}
      {cell('custom05', LEVEL)}
    </>,
    options,
  );
  const labelOf = (field: string) =>
    i18n.t('contactLists:contact.editField', { field, contact: contact.email });
  await user.selectOptions(screen.getByLabelText(labelOf('Level')), 'Silver');
  await waitFor(() => expect(bodies).toEqual([{ custom05: 'Silver' }]));
  const sum = screen.getByLabelText(labelOf('Sum'));
  await user.clear(sum);
  await user.type(sum, 'few{Enter}');
  await screen.findByText(i18n.t('contactLists:rule.number'));
  await user.clear(sum);
  await user.type(sum, '1 250,5{Enter}');
  await waitFor(() => expect(bodies).toEqual([{ custom05: 'Silver' }, { custom02: '1250.5' }]));
});
