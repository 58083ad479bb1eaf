import { requisites, type Requisite } from '@heliograph/contract';
import { notifications, notificationsStore } from '@mantine/notifications';
import { fireEvent, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { refuse, server } from '../../../test/server.ts';
import { api } from '../../core/api.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { RequisiteForm } from './requisite-form.tsx';
import { emptyValues, type RequisiteValues } from './requisite-values.ts';
import type { RequisiteBody } from './requisites.api.ts';

const t = (key: string) => i18n.t(`requisites:${key}`);
/** Not by its role, which is computed for the whole document on each call. */
/** By its id, because looking for a role computes those of the whole document. */
const region = (id: string) => within(document.getElementById(id)!);
const field = (section: string, name: string, at = 0) =>
  region(section).getAllByLabelText(new RegExp(`^${t(name)}`))[at]!;
const fill = (section: string, name: string, value: string, at = 0) =>
  fireEvent.change(field(section, name, at), { target: { value } });

/** The notifications that are shown. */
const notified = () => notificationsStore.getState().notifications.map(({ message }) => message);
beforeEach(() => notifications.clean());

const submit = () => fireEvent.submit(screen.getByRole('form'));

/** The form of a new requisite; `send` gets its body. */
async function drawForm(
  send: (body: RequisiteBody) => Promise<Requisite>,
  initial = emptyValues(),
  tools = {},
  onClose: () => void = () => {},
): Promise<void> {
  sessionStorage.clear();
  const me = { id: 'user', OwnerId: 'owner', username: 'me', data: {} };
  server.use(http.get('*/api/users/me', () => HttpResponse.json(me)));
  await draw(
    <RequisiteForm
      id="create"
      title="New"
      name="ООО Чайный дом"
      action="Create"
      initial={initial}
      isEdit={false}
      submit={send}
      onDone={() => {}}
      onClose={onClose}
    />,
    { namespaces: ['requisites'], settings: { tools } },
  );
}

function complete(inn = '7700000009'): RequisiteValues {
  const { contact, signer, data, ...values } = emptyValues();
  const both = (text: string) => ({ nominative: text, genitive: text });
  return {
    ...values,
    contact: {
      ...contact,
      lastName: 'Мирская',
      firstName: 'Анна',
      phone: '+79005550103',
      email: 'anna@tea.example',
    },
    signer: {
      ...signer,
      fullName: both('Седов Роман Ильич'),
      position: both('Генеральный директор'),
      basis: both('Устав'),
    },
    data: {
      ...data,
      legal: { ...data.legal, name: 'Чайный дом', inn, ogrn: '1027700132195' },
      bank: {
        name: 'ПАО Сбербанк',
        bik: '044525225',
        rs: '40702810200000012345',
        ks: '30101810400000000225',
      },
      legalAddress: {
        ...data.legalAddress,
        city: 'Москва',
        index: '101000',
        address: 'ул. Чайная, 1',
      },
    },
  };
}

test('sends all sections, with proposed genitives and the legal address as the postal one', async () => {
  const bodies: unknown[] = [];
  const initial = complete();
  initial.signer = emptyValues().signer;
  await drawForm((body) => {
    bodies.push(body);
    return Promise.resolve({} as Requisite);
  }, initial);
  fill('signer', 'signer.fullName', 'Седов Роман Ильич');
  fill('signer', 'signer.position', 'Генеральный директор');
  fill('signer', 'signer.basis', 'Устав');
  fill('contact', 'phone', '8 900 555-01-03');
  submit();
  await expect.poll(() => bodies.length).toBe(1);
  expect(bodies[0]).toMatchObject({
    signer: {
      fullName: { nominative: 'Седов Роман Ильич', genitive: 'Седова Романа Ильича' },
      position: { genitive: 'Генерального директора' },
      basis: { genitive: 'Устава' },
    },
    data: { legal: { opf: 'ООО' }, tax: { vat: false }, postalAddress: { city: 'Москва' } },
  });
});

test('marks wrong check digits before it asks the server', async () => {
  const bodies: unknown[] = [];
  await drawForm((body) => {
    bodies.push(body);
    return Promise.resolve({} as Requisite);
  }, complete('7700000001'));
  submit();
  await screen.findByText(i18n.t('errors:rule.inn_check'));
  expect(field('legal', 'inn').getAttribute('aria-invalid')).toBe('true');
  expect(bodies).toEqual([]);
  expect(notified()).toEqual([i18n.t('errors:code.validation')]);
});

test('notifies that required fields are empty, and marks them', async () => {
  await drawForm(() => Promise.reject(new Error('not to be called')));
  submit();
  await expect.poll(notified).toEqual([t('notFilled')]);
  expect(field('contact', 'lastName').getAttribute('aria-invalid')).toBe('true');
});

test('clearing the bank clears its search too', async () => {
  await drawForm(() => Promise.reject(new Error('not to be called')), undefined, { lookups: true });
  const search = () => field('bank', 'bankSearch') as HTMLInputElement;
  fill('bank', 'bankSearch', '0');
  expect(search().value).toBe('0');
  fireEvent.click(region('bank').getByText(i18n.t('clear')));
  expect(search().value).toBe('');
});

test('a half-typed search of a bank stays while its other fields change', async () => {
  await drawForm(() => Promise.reject(new Error('not to be called')), undefined, { lookups: true });
  fill('bank', 'bankSearch', '0');
  fill('bank', 'rs', '4');
  fill('bank', 'rs', '');
  expect((field('bank', 'bankSearch') as HTMLInputElement).value).toBe('0');
});

test('puts refusals of the server on their fields', async () => {
  refuse('post', '/requisites', {
    data: [{ field: 'data.bank.rs', type: 'account_bik', message: 'x' }],
  });
  await drawForm((body) => api(requisites.create, { body }), complete());
  submit();
  await screen.findByText(i18n.t('errors:rule.account_bik'));
  expect(field('bank', 'rs').getAttribute('aria-invalid')).toBe('true');
  expect(notified()).toEqual([i18n.t('errors:code.validation')]);
});

test('what is wrong with an address is marked where it can be corrected, not in its copy', async () => {
  const initial = complete();
  initial.data.legalAddress.city = '';
  await drawForm(() => Promise.resolve({} as Requisite), initial);
  submit();
  await screen.findAllByText(i18n.t('errors:rule.required'));
  const isInvalid = (at: number) => field('addresses', 'city', at).getAttribute('aria-invalid');
  expect([isInvalid(0), isInvalid(1)]).toEqual(['true', null]);
  fill('addresses', 'city', 'Москва');
  expect(screen.queryByText(i18n.t('errors:rule.required'))).toBeNull();
  expect(region('addresses').getByText(i18n.t('common:section.done'))).toBeTruthy();
});

test('phones are written in E.164 when they are left, and what is none is marked at once', async () => {
  await drawForm(() => Promise.reject(new Error('not to be called')));
  const leave = (section: string, at: number, value: string) => {
    fill(section, 'phone', value, at);
    fireEvent.blur(field(section, 'phone', at));
  };
  const phone = (section: string) => field(section, 'phone') as HTMLInputElement;
  leave('contact', 0, '8 900 555-01-03');
  await expect.poll(() => phone('contact').value).toBe('+79005550103');
  leave('addresses', 0, '8 (495) 555-01-03');
  await expect.poll(() => phone('addresses').value).toBe('+74955550103');
  leave('addresses', 0, '12');
  expect(await region('addresses').findByText('Invalid phone number')).toBeTruthy();
});

test('a malformed index, phone and e-mail are refused in the words of the form', async () => {
  const initial = complete();
  Object.assign(initial.contact, { phone: '12', email: 'anna' });
  initial.data.legalAddress.index = '12';
  await drawForm(() => Promise.reject(new Error('not to be called')), initial);
  submit();
  for (const text of ['The index must be 6 digits', 'Invalid phone number', 'Invalid e-mail'])
    expect(await screen.findByText(text)).toBeTruthy();
});

test('the header names what is edited, and has the buttons of the form', async () => {
  const done: string[] = [];
  await drawForm(
    async () => {
      done.push('sent');
      return { title: 'Чайный дом' } as Requisite;
    },
    complete(),
    {},
    () => done.push('closed'),
  );
  const title = screen.getByText('New');
  const header = title.parentElement!.parentElement!;
  expect(title.parentElement!.textContent).toBe('NewООО Чайный дом');
  fireEvent.click(within(header).getByText(i18n.t('common:close')));
  fireEvent.click(within(header).getByText('Create'));
  await expect.poll(() => done).toEqual(['closed', 'sent']);
});
