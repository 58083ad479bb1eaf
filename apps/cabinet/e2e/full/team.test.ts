import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../scripts/lib/smtp-sink.mjs';
import { field, TestBrowser, wide } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { newcomer } from './screens.ts';

const PASSWORD = 'tea & 4 cups';
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

test('a colleague is invited, works with the rights of the role, gets another one and is removed', async () => {
  const username = await newcomer(browser);
  const email = `colleague-${username}@tea.example`;
  const page = await browser.signedIn(username);
  await page.goto(`${browser.url}/account/team`);
  await page.getByText('You work alone so far').waitFor();
  await expectUsable(browser, page, 'team-empty');
  await page.getByRole('button', { name: 'Invite' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Invite to the team' });
  await dialog.getByLabel(/^E-mail/).fill(email);
  await dialog.getByLabel('Role').selectOption('Accountant');
  await dialog.getByText('No messages, no contacts.').waitFor();
  await expectUsable(browser, page, 'team-invite');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await page.getByText(`The invitation was sent: ${email}.`).waitFor();
  const row = page.getByRole('listitem').filter({ hasText: email });
  await row.getByRole('button', { name: `Invite ${email} again` }).waitFor();

  const got = () => sink.emails.filter(({ to }) => to.includes(email));
  await expect.poll(() => got().length).toBe(1);
  const link = /http\S+\/recover\/\S+/.exec(got()[0]!.text)![0];
  const theirs = await browser.page(wide(390));
  await theirs.goto(link);
  await theirs.getByText(email).first().waitFor();
  const passwords = theirs.locator('input[type=password]');
  for (let i = 0; i < (await passwords.count()); i++) await passwords.nth(i).fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Set password' }).click();
  await theirs.getByRole('link', { name: 'Sign in' }).click();
  await field(theirs, 'Password').fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await theirs.waitForURL(({ pathname }) => pathname === '/');
  await theirs.getByRole('heading', { level: 1 }).waitFor();

  // An accountant sees the money, no contacts, and nothing of the team.
  const opens = async (path: string) => {
    await theirs.goto(`${browser.url}${path}`);
    await theirs.getByRole('heading', { level: 1 }).waitFor();
    return !theirs.url().includes('/forbidden');
  };
  expect(await opens('/balance/payments')).toBe(true);
  expect(await opens('/contacts')).toBe(false);
  expect(await opens('/account/team')).toBe(false);
  expect(await opens('/account/profile')).toBe(true);
  await expect.poll(() => theirs.getByRole('link', { name: 'Team' }).count()).toBe(0);

  await row.getByLabel(`Role of ${email}`).selectOption('Sender');
  await page.getByText(`${email}: Sender`).waitFor();
  expect(await opens('/contacts')).toBe(true);
  expect(await opens('/balance/payments')).toBe(false);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectUsable(browser, page, 'team');
  await row.getByRole('button', { name: `Remove ${email}` }).click();
  const question = page.getByRole('dialog', { name: `Remove ${email} from the team?` });
  await question.getByRole('button', { name: `Remove ${email}` }).click();
  await page.getByText('You work alone so far').waitFor();
  await theirs.goto(`${browser.url}/contacts`);
  await theirs.waitForURL(({ pathname }) => pathname === '/login');
  const refused = /Failed to load resource: the server responded with a status of (401|403)/;
  expect(browser.consoleErrors.filter((said) => !refused.test(said))).toEqual([]);
}, 180_000);
