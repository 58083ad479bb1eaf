import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../scripts/lib/smtp-sink.mjs';
import { expectUsable } from '../usable.ts';
import { entry, field, TestBrowser } from '../test-browser.ts';
import { newcomer } from './screens.ts';
import { chooseSender } from '../choose-sender.ts';

const PASSWORD = 'heliograph';
const sink = new SmtpSink();
let browser: TestBrowser;

beforeAll(async () => {
  await sink.open(Number(process.env.E2E_SMTP_PORT));
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.close();
  sink.close();
});

test('a new account confirms its phone with the code of the simulated phone and can send to others', async () => {
  const username = await newcomer(browser);
  const page = await browser.signedIn(username);
  await page.goto(`${browser.url}/send?type=sms`);
  await page.getByText('Until you confirm your phone').waitFor();
  await chooseSender(page, 'DEMO');
  await page.getByRole('textbox', { name: /^Text/ }).fill('Tea is ready');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel(/^Phone numbers/).fill('+79161234567');
  await page.getByRole('button', { name: 'Next' }).click();
  const send = page.locator('[data-action=main]');
  await send.click();
  const refusal = page
    .getByRole('alert')
    .filter({ hasText: 'The phone of the account is not confirmed.' });
  await refusal.getByRole('button', { name: 'Confirm phone' }).click();

  const dialog = page.getByRole('dialog', { name: 'Phone' });
  await dialog.getByText('is not confirmed yet.').waitFor();
  await expectUsable(browser, page, 'identity-phone');
  await dialog.getByRole('button', { name: 'Send the code' }).click();
  const sms = dialog.getByRole('note').filter({ hasText: 'your code is' });
  const code = /\d{6}/.exec(await sms.innerText())![0];
  const wrong = String((Number(code) + 1) % 1e6).padStart(6, '0');
  await field(page, 'Code from the SMS').fill(wrong);
  await page.keyboard.press('Enter');
  await dialog.getByText('This code is incorrect.').waitFor();
  await expectUsable(browser, page, 'identity-phone-code');
  await field(page, 'Code from the SMS').fill(code);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Until you confirm your phone').waitFor({ state: 'hidden' });
  await send.click();
  await page.getByText('Message to +79161234567 accepted.').first().waitFor();

  await page.goto(`${browser.url}/?identity=phone`);
  await dialog.getByText('is confirmed.').waitFor();
  await field(page, 'New phone').fill('+7 900 555 00 99');
  await field(page, 'Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Change phone' }).click();
  await dialog.getByText('+79005550099 replaces the current number').waitFor();
  await expectUsable(browser, page, 'identity-phone-waiting');
}, 180_000);

test('a reseller changes the e-mail and the phone of a customer', async () => {
  const page = await browser.signedIn('manager');
  await page.goto(`${browser.url}/users?q=customer2`);
  await entry(page, 'customer2').getByText('customer2').first().click();
  const drawer = page.getByRole('dialog', { name: 'customer2' });
  for (const [button, name, value] of [
    ['Change e-mail', 'New e-mail', 'boris@tea.example'],
    ['Change phone', 'New phone', '+7 900 555 01 77'],
  ] as const) {
    await drawer.getByRole('button', { name: button }).click();
    await field(page, name).fill(value);
    await field(page, 'Your password').fill(PASSWORD);
    if (name === 'New phone') await expectUsable(browser, page, 'users-phone');
    await page.keyboard.press('Enter');
    await field(page, name).waitFor({ state: 'hidden' });
  }
  await drawer.getByText('boris@tea.example').waitFor();
  await drawer.getByText('+79005550177').waitFor();
  await expectUsable(browser, page, 'users-changed');
});

test('an e-mail is changed and takes effect when its key is used', async () => {
  sink.emails = [];
  const username = await newcomer(browser);
  const page = await browser.signedIn(username);
  await page.goto(`${browser.url}/?identity=email`);
  const dialog = page.getByRole('dialog', { name: 'E-mail' });
  await dialog.getByText(`${username}@tea.example is not confirmed yet.`).waitFor();
  await field(page, 'New e-mail').fill('nonsense');
  await field(page, 'Your password').fill('not this one');
  const submit = dialog.getByRole('button', { name: 'Send the link' });
  await submit.click();
  await dialog.getByText('Enter a valid e-mail address.').waitFor();
  const next = `${username}.new@tea.example`;
  await field(page, 'New e-mail').fill(next);
  await submit.click();
  await dialog.getByText('This password is incorrect.').waitFor();
  await expectUsable(browser, page, 'identity-email-wrong');
  await field(page, 'Your password').fill(PASSWORD);
  await submit.click();
  await dialog.getByText(`We sent a link to ${next}.`).waitFor();
  await expectUsable(browser, page, 'identity-email-waiting');

  // The demo world sends e-mails too.
  const to = (address: string) => sink.emails.find((email) => email.to[0] === address)!;
  const old = `${username}@tea.example`;
  await expect.poll(() => [old, next].map((address) => !!to(address))).toEqual([true, true]);
  expect(to(old).text).toContain('choose a new password now');
  const link = /http\S+\/confirm\?key=\S+/.exec(to(next).text)![0];

  // The e-mail may be opened in a browser without a session.
  const other = await browser.page();
  await other.goto(link);
  await other.getByText(`Confirm ${next} for the username ${username}?`).waitFor();
  await expectUsable(browser, other, 'confirm');
  await other.getByRole('button', { name: 'Confirm' }).click();
  await other.getByText('Your e-mail is confirmed.').waitFor();
  await expectUsable(browser, other, 'confirm-done');
  await other.getByRole('link', { name: 'Sign in' }).click();
  await field(other, 'Username').waitFor();

  await page.reload();
  await page.getByRole('dialog').getByText(`${next} is confirmed.`).waitFor();
  await page.goto(link);
  await page.getByText('The link is invalid or has expired.').first().waitFor();
  await expectUsable(browser, page, 'confirm-invalid');
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/');

  const refused =
    /Failed to load resource: the server responded with a status of (400|403|404|422)/;
  expect(browser.consoleErrors.filter((said) => !refused.test(said))).toEqual([]);
}, 180_000);
