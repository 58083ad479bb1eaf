import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LetterBox } from '../../../../scripts/lib/letter-box.mjs';
import { fine } from '../fine.ts';
import { Stage } from '../stage.ts';
import { newcomer } from './screens.ts';

const PASSWORD = 'heliograph';
const box = new LetterBox();
let stage: Stage;

beforeAll(async () => {
  await box.open(Number(process.env.E2E_SMTP_PORT));
  stage = await Stage.open();
});
afterAll(async () => {
  await stage.close();
  box.close();
});

const field = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));

async function openFromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('an e-mail is changed from the account menu and takes effect by the letter', async () => {
  const username = await newcomer(stage);
  const page = await stage.signedIn(username);
  await page.goto(`${stage.url}/`);
  await openFromMenu(page, 'Change e-mail');
  const dialog = page.getByRole('dialog', { name: 'E-mail' });
  await dialog.getByText(`${username}@tea.example is not confirmed yet.`).waitFor();
  await field(page, 'New e-mail').fill('nonsense');
  await field(page, 'Your password').fill('not this one');
  const submit = dialog.getByRole('button', { name: 'Send the link' });
  await submit.click();
  await dialog.getByText('The format is not right.').waitFor();
  const next = `${username}.new@tea.example`;
  await field(page, 'New e-mail').fill(next);
  await submit.click();
  await dialog.getByText('This password is wrong.').waitFor();
  await fine(stage, page, 'identity-email-wrong');
  await field(page, 'Your password').fill(PASSWORD);
  await submit.click();
  await dialog.getByText(`We sent a link to ${next}.`).waitFor();
  await fine(stage, page, 'identity-email-waiting');

  await expect.poll(() => box.letters.length, { timeout: 10_000 }).toBe(2);
  const to = (address: string) => box.letters.find((letter) => letter.to[0] === address)!;
  expect(to(`${username}@tea.example`).text).toContain('choose a new password now');
  const link = /http\S+\/confirm\?key=\S+/.exec(to(next).text)![0];

  // The letter may be read where nobody is signed in.
  const other = await stage.page();
  await other.goto(link);
  await other.getByText(`Confirm ${next} for the login ${username}?`).waitFor();
  await fine(stage, other, 'confirm');
  await other.getByRole('button', { name: 'Confirm' }).click();
  await other.getByText('The e-mail is confirmed.').waitFor();
  await fine(stage, other, 'confirm-done');
  await other.getByRole('link', { name: 'Sign in' }).click();
  await field(other, 'Login').waitFor();

  await page.reload();
  await page.getByRole('dialog').getByText(`${next} is confirmed.`).waitFor();
  await page.goto(link);
  await page.getByText('The link is invalid or has expired.').waitFor();
  await fine(stage, page, 'confirm-invalid');
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/');

  const refused = /Failed to load resource: the server responded with a status of (404|422)/;
  expect(stage.complaints.filter((said) => !refused.test(said))).toEqual([]);
}, 180_000);
