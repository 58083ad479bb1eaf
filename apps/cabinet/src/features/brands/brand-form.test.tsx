import type { Brand } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { BrandForm } from './brand-form.tsx';

const BRAND: Brand = {
  OwnerId: '01930000-0000-7000-8000-0000000000a1',
  title: 'Tea SMS',
  primary: null,
  accent: null,
  email: null,
  phone: null,
  chat: null,
  privacy: null,
  offer: null,
  locale: null,
  domain: null,
  logo: null,
  darkLogo: null,
  installation: {
    title: 'Beacon',
    primary: '#1c6dd0',
    accent: '#ffd43b',
    email: null,
    phone: null,
    chat: null,
    privacy: null,
    offer: null,
    locale: null,
  },
};

async function drawForm() {
  const { user } = await draw(<BrandForm brand={BRAND} />, {
    namespaces: ['brands'],
    settings: { permissions: { 'brands.update': 'reseller' } },
  });
  const fill = async (name: string, text: string) => {
    const input = screen.getByRole('textbox', { name: i18n.t(`brands:field.${name}`) });
    await user.clear(input);
    if (text) await user.type(input, text);
  };
  const save = () => user.click(screen.getByRole('button', { name: i18n.t('brands:save') }));
  return { fill, save };
}

test('a colour that cannot be read is said at once, and is not sent', async () => {
  const sent: unknown[] = [];
  server.use(
    http.put('*/api/brands', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(BRAND);
    }),
  );
  const { fill, save } = await drawForm();
  await fill('primary', '#ffd43b');
  const what = i18n.t('brands:contrast.text');
  screen.getByText(i18n.t('brands:contrast.bad', { what, ratio: '1.4', minimum: '4.5' }));
  await save();
  await screen.findByText(i18n.t('errors:rule.contrast'));
  expect(sent).toEqual([]);
});

test('an empty field is sent as that of the installation', async () => {
  let sent: unknown;
  server.use(
    http.put('*/api/brands', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ ...BRAND, title: null, primary: '#0f766e' });
    }),
  );
  const { fill, save } = await drawForm();
  await fill('title', '');
  await fill('primary', '#0f766e');
  await save();
  await expect
    .poll(() => sent)
    .toEqual({
      OwnerId: BRAND.OwnerId,
      title: null,
      primary: '#0f766e',
      accent: null,
      email: null,
      phone: null,
      chat: null,
      privacy: null,
      offer: null,
      locale: null,
    });
});
