import { PERMISSIONS } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { QuickCards } from './quick-cards.tsx';

const permissions = Object.fromEntries(Object.keys(PERMISSIONS).map((name) => [name, 'manager']));

test.each([
  [{ integrations: false, blog: null }, []],
  [{ integrations: true, blog: null }, ['/settings/integrations']],
  [
    { integrations: true, blog: 'https://blog.example/' },
    ['/settings/integrations', 'https://blog.example/'],
  ],
])('with the features %j home has these cards for them: %j', async (features, expected) => {
  await draw(<QuickCards />, { namespaces: ['home'], settings: { permissions, features } });
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href')!);
  expect(links).toContain('/analytics');
  expect(links.filter((to) => /integrations|blog/.test(to))).toEqual(expected);
});

test.each([
  [true, ['/balance/payments?topUp=true']],
  [false, []],
])('who may pay (%j) tops up from a card: %j', async (mayPay, expected) => {
  const { 'payments.create': create, ...others } = permissions;
  await draw(<QuickCards />, {
    namespaces: ['home'],
    settings: { permissions: mayPay ? { ...others, 'payments.create': create } : others },
  });
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href')!);
  expect(links).toContain('/analytics');
  expect(links.filter((to) => to.startsWith('/balance'))).toEqual(expected);
});
