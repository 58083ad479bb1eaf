import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage } from '../stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

test('money whose answer was lost is not booked again by the form opened anew', async () => {
  const page = await stage.signedIn('reseller');
  let isLost = true;
  await page.route('**/api/billings', async (route) => {
    if (route.request().method() !== 'POST' || !isLost) return route.continue();
    isLost = false;
    await route.fetch();
    await route.abort();
  });
  await page.goto(`${stage.url}/users`);
  const dialog = page.getByRole('dialog');
  const fill = async () => {
    await page
      .getByRole('button', { name: 'Change the balance of customer2', exact: true })
      .click();
    await dialog.getByLabel(/^Amount/).fill('17.17');
    await dialog.getByRole('button', { name: 'Add to balance' }).click();
  };
  await fill();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await fill();
  await dialog.waitFor({ state: 'hidden' });
  const booked = async () =>
    (await stage.db.query(`select count(*)::int as n from billings where amount = 17.17`)).rows[0]
      .n;
  expect(await booked()).toBe(1);
  // Once it is known to be done, the same again is another act.
  await fill();
  await dialog.waitFor({ state: 'hidden' });
  expect(await booked()).toBe(2);
  // The browser tells of the lost call by itself.
  expect(stage.complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
}, 120_000);
