import { afterAll, beforeAll, expect, test } from 'vitest';
import { fine } from '../fine.ts';
import { entry, Stage, wide, WIDTHS } from '../stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
  const reseller = await stage.token('reseller');
  const { data } = await stage.call<{ data: { id: string; username: string }[] }>(
    'GET',
    '/users?$search=customer2',
    undefined,
    reseller,
  );
  const { id } = data.find(({ username }) => username === 'customer2')!;
  const { token } = await stage.call('POST', `/login/as/${id}`, {}, reseller);
  await stage.call('PUT', `/users/${id}`, { data: { country: 'KZ' } }, reseller);
  const title = 'Written by the reseller';
  const payload = { sender: 'MIRTEA', text: 'Tea' };
  await stage.call('POST', '/templates', { title, type: 'viber', payload }, token);
});
afterAll(() => stage.close());

test.each(WIDTHS)('at %d the account reads what superiors did in it', async (width) => {
  const page = await stage.signedIn('customer2', wide(width));
  await page.goto(stage.url);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Account activity' }).click();
  await page.getByRole('heading', { level: 1, name: 'Account activity' }).waitFor();
  await entry(page, 'Templates: created', 'reseller as customer2').waitFor();
  await entry(page, 'Signed in as the user').waitFor();
  await entry(page, 'User changed').getByRole('link').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /country.*KZ/ }).waitFor();
  if (width === 1280) await fine(stage, page, 'audit-record');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  if (width === 1280) await fine(stage, page, 'account-audit');
  expect(stage.complaints).toEqual([]);
});

test('a reseller narrows the log to an action and an address', async () => {
  const page = await stage.signedIn('reseller');
  await page.goto(`${stage.url}/audit`);
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await entry(page, 'User changed', 'customer2').waitFor();
  await fine(stage, page, 'audit');
  await page.goto(`${stage.url}/audit?f.action=auth.loginAs`);
  await entry(page, 'Signed in as the user', 'customer2').waitFor();
  expect(await page.locator('[data-row]').filter({ hasText: 'User changed' }).count()).toBe(0);
  await page.getByLabel('IP address').fill('10.11.12.13');
  await page.getByText('Nothing found').waitFor();
});
