import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUsable } from '../usable.ts';
import { entry, TestBrowser } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** The page of a manager. */
async function open(path: string) {
  const page = await browser.signedIn('manager');
  const dialog = page.getByRole('dialog');
  await page.goto(`${browser.url}/${path}`);
  return { page, dialog, closed: () => dialog.waitFor({ state: 'hidden' }) };
}

// Each test continues with what the one before it created.
test('an administrator creates a routing group', async () => {
  const { page, dialog, closed } = await open('routingGroups');
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
  await dialog.getByRole('button', { name: 'Move Route 2', exact: true }).press('ArrowUp');
  await dialog.getByLabel('Title').click();
  await expectUsable(browser, page, 'routing-group');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await closed();
  await entry(page, 'Tea houses', 'SMS → simulator, Viber → simulator').waitFor();
  await expectUsable(browser, page, 'routing-groups');
  expect(browser.consoleErrors).toEqual([]);
});

test('an administrator creates a rule group', async () => {
  const { page, dialog, closed } = await open('messageRuleGroups');
  await page.getByRole('button', { name: 'Create a group' }).first().click();
  await dialog.getByLabel('Title').fill('Codes alone');
  await dialog.getByLabel('Allow only some message types').check();
  await dialog.getByText('Nothing is selected').waitFor();
  const allowed = dialog.getByRole('group', { name: 'Allowed message types' });
  await allowed.getByLabel('SMS', { exact: true }).check();
  await allowed.getByLabel('Viber').check();
  await expectUsable(browser, page, 'rule-group');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await closed();
  await entry(page, 'Codes alone', 'SMS, Viber').waitFor();
  await expectUsable(browser, page, 'rule-groups');
  expect(browser.consoleErrors).toEqual([]);
});

test('an administrator assigns the groups to a customer', async () => {
  const { page, dialog } = await open('users?q=customer');
  await page.getByRole('link', { name: 'customer', exact: true }).first().click();
  for (const [kind, title] of [
    ['Routing groups', 'Tea houses'],
    ['Rule groups', 'Codes alone'],
  ] as const) {
    await dialog.getByRole('button', { name: `Change: ${kind}` }).click();
    const form = page.getByRole('dialog', { name: `${kind} of customer` });
    await form.getByRole('combobox', { name: kind }).fill(title.slice(0, 4));
    await page.getByRole('option', { name: title }).click();
    await page.keyboard.press('Escape');
    if (kind === 'Routing groups') await expectUsable(browser, page, 'assign-groups');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });
    await dialog.getByRole('link', { name: title }).waitFor();
  }
  await dialog.getByRole('link', { name: 'Tea houses' }).click();
  await page.waitForURL(/routingGroups\?id=/);
  await page.getByRole('dialog', { name: 'Tea houses' }).waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test('an administrator registers an operator template for a customer', async () => {
  const { page, dialog, closed } = await open('patterns?create=true');
  await dialog.getByRole('button', { name: 'Register' }).click();
  await expect.poll(() => dialog.getByText('Fill in this field.').count()).toBe(3);
  await dialog.getByRole('combobox', { name: 'Account' }).fill('customer');
  await page.getByRole('option', { name: 'customer', exact: true }).click();
  await dialog.getByLabel('Title').fill('Codes at the door');
  await dialog.getByLabel('Text').fill('%w{1,100}');
  await dialog.getByRole('button', { name: 'Register' }).click();
  await dialog.getByText('it would match every text').waitFor();
  await dialog.getByLabel('Text').fill('Code %d{4,6} opens the tea house');
  await expectUsable(browser, page, 'pattern');
  await dialog.getByRole('button', { name: 'Register' }).click();
  await closed();
  await entry(page, 'Codes at the door', 'Service').waitFor();
  await expectUsable(browser, page, 'patterns');
  expect(browser.consoleErrors).toEqual([]);
});

test('the customer can read the operator template and change nothing', async () => {
  const customer = await browser.signedIn('customer');
  await customer.goto(`${browser.url}/patterns`);
  await entry(customer, 'Codes at the door').getByRole('link').first().click();
  await customer.getByRole('dialog').getByLabel('Title').waitFor();
  await expect.poll(() => customer.getByRole('dialog').getByLabel('Title').isDisabled()).toBe(true);
  await expect
    .poll(() => customer.getByRole('button', { name: /Register|Save|Delete/ }).count())
    .toBe(0);
  await expect.poll(() => customer.getByRole('link', { name: 'Routing groups' }).count()).toBe(0);
  // Its open details would be asked for again when the template is deleted.
  await customer.close();
  expect(browser.consoleErrors).toEqual([]);
});

test('an administrator deletes the template and the groups', async () => {
  const { page, dialog, closed } = await open('patterns');
  for (const [path, title] of [
    ['patterns', 'Codes at the door'],
    ['messageRuleGroups', 'Codes alone'],
    ['routingGroups', 'Tea houses'],
  ]) {
    await page.goto(`${browser.url}/${path}`);
    await entry(page, title!)
      .getByRole('button', { name: `Delete “${title}”` })
      .click();
    await dialog.getByRole('button', { name: `Delete “${title}”` }).click();
    await closed();
    await entry(page, title!).waitFor({ state: 'detached' });
  }
  expect(browser.consoleErrors).toEqual([]);
});
