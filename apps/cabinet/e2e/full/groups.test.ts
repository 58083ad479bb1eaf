import { afterAll, beforeAll, expect, test } from 'vitest';
import { fine } from '../fine.ts';
import { entry, Stage } from '../stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

test('an administrator puts a customer into groups of routes and rules, and registers a pattern for it', async () => {
  const page = await stage.signedIn('manager');
  const dialog = page.getByRole('dialog');
  const closed = () => dialog.waitFor({ state: 'hidden' });

  await page.goto(`${stage.url}/routingGroups`);
  await page.getByRole('button', { name: 'Create a group' }).first().click();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  // The title and the channel of the route.
  await expect.poll(() => dialog.getByText('Fill in this field.').count()).toBe(2);
  await dialog.getByLabel('Title').fill('Tea houses');
  await dialog.getByLabel('Message type').selectOption('viber');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('Fill in this field.').waitFor();
  await dialog.getByLabel('Channel').selectOption('simulator');
  await dialog.getByRole('button', { name: 'Add a route' }).click();
  await dialog.getByLabel('Channel').nth(1).selectOption('simulator');
  await dialog.getByRole('button', { name: 'Move route 2 up' }).click();
  await dialog.getByLabel('Title').click();
  await fine(stage, page, 'routing-group');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await closed();
  await entry(page, 'Tea houses', 'SMS → simulator, Viber → simulator').waitFor();
  await fine(stage, page, 'routing-groups');

  await page.goto(`${stage.url}/messageRuleGroups`);
  await page.getByRole('button', { name: 'Create a group' }).first().click();
  await dialog.getByLabel('Title').fill('Codes alone');
  await dialog.getByLabel('Allow only some message types').check();
  await dialog.getByText('Nothing is selected').waitFor();
  const allowed = dialog.getByRole('group', { name: 'Allowed message types' });
  await allowed.getByLabel('SMS', { exact: true }).check();
  await allowed.getByLabel('Viber').check();
  await fine(stage, page, 'rule-group');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await closed();
  await entry(page, 'Codes alone', 'SMS, Viber').waitFor();
  await fine(stage, page, 'rule-groups');

  await page.goto(`${stage.url}/users`);
  await entry(page, 'customer').getByRole('link').first().click();
  for (const [kind, title] of [
    ['Routing groups', 'Tea houses'],
    ['Rule groups', 'Codes alone'],
  ] as const) {
    await dialog.getByRole('button', { name: `Change: ${kind}` }).click();
    const form = page.getByRole('dialog', { name: `${kind} of customer` });
    await form.getByRole('combobox', { name: kind }).fill(title.slice(0, 4));
    await page.getByRole('option', { name: title }).click();
    await page.keyboard.press('Escape');
    if (kind === 'Routing groups') await fine(stage, page, 'assign-groups');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    await dialog.getByRole('link', { name: title }).waitFor();
  }
  await dialog.getByRole('link', { name: 'Tea houses' }).click();
  await page.waitForURL(/routingGroups\?id=/);
  await page.getByRole('dialog', { name: 'Tea houses' }).waitFor();

  await page.goto(`${stage.url}/patterns?create=true`);
  await dialog.getByRole('button', { name: 'Register' }).click();
  expect(await dialog.getByText('Fill in this field.').count()).toBe(3);
  await dialog.getByRole('combobox', { name: 'Account' }).fill('customer');
  await page.getByRole('option', { name: 'customer', exact: true }).click();
  await dialog.getByLabel('Title').fill('Codes at the door');
  await dialog.getByLabel('Text').fill('%w{1,100}');
  await dialog.getByRole('button', { name: 'Register' }).click();
  await dialog.getByText('it would match every text').waitFor();
  await dialog.getByLabel('Text').fill('Code %d{4,6} opens the tea house');
  await fine(stage, page, 'pattern');
  await dialog.getByRole('button', { name: 'Register' }).click();
  await closed();
  await entry(page, 'Codes at the door', 'Service').waitFor();
  await fine(stage, page, 'patterns');

  // The customer reads it, and can change nothing.
  const customer = await stage.signedIn('customer');
  await customer.goto(`${stage.url}/patterns`);
  await entry(customer, 'Codes at the door').getByRole('link').first().click();
  await customer.getByRole('dialog').getByLabel('Title').waitFor();
  expect(await customer.getByRole('dialog').getByLabel('Title').isDisabled()).toBe(true);
  expect(await customer.getByRole('button', { name: /Register|Save|Delete/ }).count()).toBe(0);
  expect(await customer.getByRole('link', { name: 'Routing groups' }).count()).toBe(0);

  await customer.close();

  for (const [path, title] of [
    ['patterns', 'Codes at the door'],
    ['messageRuleGroups', 'Codes alone'],
    ['routingGroups', 'Tea houses'],
  ]) {
    await page.goto(`${stage.url}/${path}`);
    await entry(page, title!)
      .getByRole('button', { name: `Delete “${title}”` })
      .click();
    await dialog.getByRole('button', { name: `Delete “${title}”` }).click();
    await closed();
    await entry(page, title!).waitFor({ state: 'detached' });
  }
  expect(stage.complaints).toEqual([]);
});
