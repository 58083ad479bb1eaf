import { definitionOf, SETTING_NAMES, type InstallationSetting } from '@heliograph/contract';
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { InstallationSettingsPage } from './installation-settings-page.tsx';

const settingsWith = (changes: Record<string, Partial<InstallationSetting>>) => ({
  data: SETTING_NAMES.map((name): InstallationSetting => {
    const { default: otherwise, isSecret = false } = definitionOf(name);
    const value = name === 'MAIL_TRANSPORT' ? 'off' : otherwise;
    const plain = { isSet: false, lockedBy: null, changedAt: null, changedBy: null };
    return { name, value, default: value, isSecret, ...plain, ...changes[name] };
  }),
});
const text = (key: string, values = {}) => i18n.t(`installationSettings:${key}`, values);
const label = (name: string) => text(`label.${name}`);

async function drawPage(changes: Record<string, Partial<InstallationSetting>> = {}) {
  server.use(
    http.get('*/api/installation/settings', () => HttpResponse.json(settingsWith(changes))),
  );
  const { user } = await draw(<InstallationSettingsPage />, {
    namespaces: ['installation', 'installationSettings'],
    settings: { permissions: { 'installation.update': 'manager' } },
  });
  const group = async (name: string) =>
    within(await screen.findByRole('region', { name: text(`group.${name}`) }));
  return { user, group };
}

test('what changed is sent, an empty field as the default, and nothing else', async () => {
  let sent: unknown;
  server.use(
    http.put('*/api/installation/settings', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json(settingsWith({}));
    }),
  );
  const { user, group } = await drawPage({
    REGISTRATION_LIMIT: { value: 25, isSet: true, changedAt: '2026-11-22T09:15:00.000Z' },
  });
  const registration = await group('registration');
  await user.selectOptions(
    registration.getByRole('combobox', { name: label('REGISTRATION') }),
    'closed',
  );
  await user.clear(registration.getByRole('spinbutton', { name: label('REGISTRATION_LIMIT') }));
  const credit = registration.getByRole('spinbutton', { name: label('REGISTRATION_CREDIT') });
  await user.clear(credit);
  await user.type(credit, '12.5');
  await user.click(registration.getByRole('button', { name: text('save') }));
  await expect
    .poll(() => sent)
    .toEqual({ REGISTRATION: 'closed', REGISTRATION_LIMIT: null, REGISTRATION_CREDIT: 12.5 });
});

test.each([
  ['some', ['sms'], ['sms', 'viber']],
  ['none: an empty list is no default', ['viber'], []],
])('a list is sent as it is ticked: %s', async (_, value, expected) => {
  let sent: unknown;
  server.use(
    http.put('*/api/installation/settings', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json(settingsWith({}));
    }),
  );
  const { user, group } = await drawPage({ SENDERNAMES_CHECK: { value, isSet: true } });
  const sending = await group('sending');
  await user.click(sending.getByRole('checkbox', { name: i18n.t('common:type.viber') }));
  await user.click(sending.getByRole('button', { name: text('save') }));
  await expect.poll(() => sent).toEqual({ SENDERNAMES_CHECK: expected });
});

test('countries have a window and holidays each, and what is removed is as by default', async () => {
  let sent: unknown;
  server.use(
    http.put('*/api/installation/settings', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json(settingsWith({}));
    }),
  );
  const value = ['DE 20:00-08:00', 'DE 2026-12-25', 'FR 2026-07-14'];
  const { user, group } = await drawPage({ COUNTRY_QUIET_HOURS: { value, isSet: true } });
  const sending = await group('sending');
  const save = () => user.click(sending.getByRole('button', { name: text('save') }));
  const holidays = () => sending.getAllByLabelText(text('quiet.holidays'));
  expect(sending.getAllByLabelText<HTMLInputElement>(text('quiet.from'))[0]!.value).toBe('20:00');
  await user.type(holidays()[0]!, ' 2026-12-26');
  await save();
  await expect
    .poll(() => sent)
    .toEqual({
      COUNTRY_QUIET_HOURS: ['DE 20:00-08:00', 'DE 2026-12-25', 'DE 2026-12-26', 'FR 2026-07-14'],
    });
});

test('a list of the environment cannot be changed', async () => {
  const { group } = await drawPage({
    SENDERNAMES_CHECK: { value: [], isSet: true, lockedBy: 'SENDERNAMES_CHECK' },
  });
  const boxes = (await group('sending')).getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.every(({ disabled, checked }) => disabled && !checked)).toBe(true);
});

test('what the environment gives cannot be changed, and the variable is named', async () => {
  const { group } = await drawPage({
    QUOTA_TOKENS: { value: 7, isSet: true, lockedBy: 'QUOTA_TOKENS' },
  });
  const limits = await group('limits');
  const field = limits.getByRole<HTMLInputElement>('spinbutton', { name: label('QUOTA_TOKENS') });
  expect(field.disabled).toBe(true);
  expect(field.value).toBe('7');
  expect(limits.getByText(text('locked', { variable: 'QUOTA_TOKENS' }))).toBeTruthy();
});

test('the answer of the mail server is shown', async () => {
  const to = 'captain@tea.example';
  server.use(
    http.post('*/api/installation/settings/mail-test', () =>
      HttpResponse.json({ to, isAccepted: false, answer: '550 we do not relay for you' }),
    ),
  );
  const { user, group } = await drawPage();
  const mail = await group('mail');
  await user.click(mail.getByRole('button', { name: text('mailTest.send') }));
  expect(await mail.findByText('550 we do not relay for you')).toBeTruthy();
  expect(mail.getByText(text('mailTest.refused', { to }))).toBeTruthy();
});
