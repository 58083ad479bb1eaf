import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { SignupFormsPage } from './signup-forms-page.tsx';

const ID = '01930000-0000-7000-8000-000000000001';
const LIST = '01930000-0000-7000-8000-000000000002';
const now = new Date(0).toISOString();
const ROW = {
  id: ID,
  title: 'Tea "club"',
  isActive: true,
  ListId: LIST,
  type: 'email',
  sender: 'tea@example.com',
  text: 'Confirm: {link}',
  fields: [{ field: 'firstName', isRequired: true }],
  tags: [],
  consent: 'I agree.',
  returnUrl: null,
  origins: ['https://tea.example'],
  countries: null,
  url: `https://example.com/f/${ID}`,
  asked: 8,
  confirmed: 6,
  OwnerId: 'owner',
  createdAt: now,
  updatedAt: now,
};
const LIST_ROW = {
  id: LIST,
  title: 'Regulars',
  type: 'regular',
  isActive: true,
  count: 3,
  OwnerId: 'owner',
  createdAt: now,
  updatedAt: now,
};
const label = (name: string, values = {}) => i18n.t(`signupForms:${name}`, values);
const can = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'me']));

async function drawn(at: string, rows: object[] = [ROW]) {
  const saved: [method: string, body: object][] = [];
  const save = async ({ request }: { request: Request }) => {
    const body = (await request.json()) as object;
    saved.push([request.method, body]);
    return HttpResponse.json(
      { ...ROW, ...body },
      { status: request.method === 'POST' ? 201 : 200 },
    );
  };
  const page = (data: object[]) =>
    HttpResponse.json({ data, total: data.length, limit: 16, offset: 0 });
  server.use(
    http.get('*/api/signupForms', () => page(rows)),
    http.get('*/api/signupForms/:id', () => HttpResponse.json(ROW)),
    http.post('*/api/signupForms', save),
    http.put('*/api/signupForms/:id', save),
    http.get('*/api/contactLists', () => page([LIST_ROW])),
    http.get('*/api/contactLists/:id', () => HttpResponse.json(LIST_ROW)),
  );
  const permissions = can(
    'signupForms.get',
    'signupForms.create',
    'signupForms.update',
    'contactLists.get',
  );
  const session = { UserId: 'user', OwnerId: 'owner', level: 'me' };
  return draw(<SignupFormsPage />, {
    namespaces: ['signupForms', 'contactLists', 'list'],
    settings: { permissions, session },
    at,
  }).then(({ user }) => ({ user, saved }));
}

test('a form shows how many people were asked, and what share has confirmed', async () => {
  await drawn('/here');
  expect(await screen.findByText('6 (75%)')).toBeDefined();
  expect(screen.getByText(label('state.active'))).toBeDefined();
});

test('a form is changed, and its frame is offered to the sites that may show it', async () => {
  const { user, saved } = await drawn(`/here?id=${ID}`);
  const frame = await screen.findByRole('group', { name: label('frame') });
  expect(frame.textContent).toContain(`<iframe src="${ROW.url}" title="Tea &quot;club&quot;"`);
  const dialog = screen.getByRole('dialog');
  const text = within(dialog).getByRole('textbox', {
    name: new RegExp(`^${label('text')}( \\*)?$`),
  });
  const save = within(dialog).getByRole('button', { name: label('save') });
  await user.clear(text);
  await user.type(text, 'No link');
  await waitFor(() =>
    expect(within(dialog).getByText(label('linkMissing', { link: '{link}' }))).toBeDefined(),
  );
  await user.clear(text);
  await user.type(text, 'Yes: {{link}');
  await user.click(
    within(dialog).getByRole('checkbox', { name: i18n.t('contactLists:field.firstName') }),
  );
  await user.click(save);
  await waitFor(() => expect(saved).toHaveLength(1));
  const [method, body] = saved[0]!;
  expect(method).toBe('PUT');
  expect(body).toMatchObject({
    text: 'Yes: {link}',
    fields: [{ field: 'firstName', isRequired: false }],
    origins: ['https://tea.example'],
    countries: null,
    returnUrl: null,
  });
  expect(body).not.toHaveProperty('type');
});

test('without forms the page says what they are for', async () => {
  await drawn('/here', []);
  expect(await screen.findByText(label('empty.title'))).toBeDefined();
});
