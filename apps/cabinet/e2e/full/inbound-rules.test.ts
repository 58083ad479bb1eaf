import { TEST_NUMBER_PREFIX } from '@heliograph/domain';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { press, tabTo, type } from '../keys.ts';
import { expectAccessible, TestBrowser, widths } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

/** Answers "да". */
const REPLIES = `${TEST_NUMBER_PREFIX}10`;

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const rules = (page: Page) => page.locator('#main li');

test.each(widths(1280))(
  'a rule is made by keyboard, tried, and answers a person: %i wide',
  async (width) => {
    const page = await browser.page({ viewport: { width, height: 900 } });
    await browser.signIn(page, 'customer2');
    const token = await browser.token('customer2');
    const list = await browser.call(
      'POST',
      '/contactLists',
      { title: `Agreed ${width}`, type: 'regular' },
      token,
    );
    await page.goto(`${browser.url}/messages/incoming`);
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByRole('heading', { name: 'Rules for incoming messages' }).waitFor();
    await page.getByText('No rules yet').waitFor();
    await expectUsable(browser, page, `inbound-rules-empty-${width}`);

    await press(page, /^New rule/);
    const form = page.getByRole('dialog', { name: 'New rule' });
    await form.waitFor();
    await type(page, /^Name/, 'Agreement');
    await type(page, /^Keywords/, 'да\nyes');
    await tabTo(page, /^Change a contact list/);
    await page.keyboard.press('Space');
    await type(page, /^Text of the reply/, 'Thank you!');
    await form.getByRole('combobox', { name: 'Contact list' }).click();
    await page.getByRole('option', { name: `Agreed ${width}` }).click();
    await expectAccessible(page);
    await browser.picture(page, `inbound-rule-form-${width}`);
    await form.getByRole('button', { name: 'Create rule' }).click();
    await form.waitFor({ state: 'hidden' });
    const rule = rules(page).filter({ hasText: 'Agreement' });
    await rule.getByText('No message has fitted yet').waitFor();

    await page.getByRole('button', { name: 'Try it' }).click();
    const trial = page.getByRole('dialog', { name: 'Try the rules' });
    await trial.getByLabel(/^Message/).fill('ДА, конечно');
    await trial.getByLabel(/^To the sender name/).fill('BEANBAR');
    await trial.getByRole('button', { name: 'Check' }).click();
    await trial.getByText('Reply: Thank you!').waitFor();
    await expectUsable(browser, page, `inbound-rules-trial-${width}`);
    await trial.getByLabel(/^Message/).fill('STOP');
    await trial.getByRole('button', { name: 'Check' }).click();
    await trial.getByText(/request to unsubscribe/).waitFor();
    await trial.getByRole('button', { name: 'Cancel' }).click();
    await trial.waitFor({ state: 'hidden' });

    const other = {
      title: 'Everything else',
      mode: 'any',
      actions: ['task'],
    };
    await browser.call('POST', '/inboundRules', other, token);
    // It appears by itself, and moves by the arrow keys.
    await expect.poll(() => rules(page).count()).toBe(2);
    await page
      .getByRole('button', { name: /Everything else/ })
      .first()
      .focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => rules(page).first().innerText()).toContain('Everything else');
    await page.reload();
    await expect.poll(() => rules(page).first().innerText()).toContain('Everything else');
    await page.getByRole('switch', { name: /Everything else/ }).press('Space');
    await expect
      .poll(async () => {
        const { data } = await browser.call<{ data: { title: string; isActive: boolean }[] }>(
          'GET',
          '/inboundRules',
          undefined,
          token,
        );
        return data.find(({ title }) => title === other.title)?.isActive;
      })
      .toBe(false);

    const message = { type: 'viber', payload: { sender: 'BEANBAR', text: 'Shall we deliver?' } };
    await browser.call('POST', '/sendings', { ...message, recipient: REPLIES }, token);
    await rule.getByText(/Messages: 1.*replies: 1/).waitFor({ timeout: 30_000 });
    await expectUsable(browser, page, `inbound-rules-${width}`);
    await page.goto(`${browser.url}/messages/outgoing?search=${REPLIES.slice(1)}`);
    await page.getByText('Thank you!').first().waitFor();
    await page.goto(`${browser.url}/contacts/${list.id}`);
    await page
      .getByText(/9990000010|999 000-00-10/)
      .first()
      .waitFor();

    await page.goto(`${browser.url}/messages/incoming/rules`);
    for (const title of ['Everything else', 'Agreement']) {
      await page.getByRole('button', { name: `Delete “${title}”` }).click();
      const question = page.getByRole('dialog', { name: /^Delete the rule/ });
      await question.getByRole('button', { name: /^Delete/ }).click();
      await question.waitFor({ state: 'hidden' });
    }
    await page.getByText('No rules yet').waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);
