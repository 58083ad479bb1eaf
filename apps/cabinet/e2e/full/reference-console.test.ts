import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser, wide, WIDTHS } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test.each(WIDTHS)(
  'a call of the reference is read as a program and sent with a test token that is made there, %i px wide',
  async (width) => {
    const scheme = width > 600 ? 'light' : 'dark';
    const page = await browser.signedIn('customer2', { ...wide(width), colorScheme: scheme });
    await page.goto(`${browser.url}/documentation/api/reference?id=post-sendings`);
    const examples = page.getByRole('button', {
      name: 'Code examples POST /sendings',
      exact: true,
    });
    await examples.click();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByRole('group', { name: 'POST /sendings, Python' }).waitFor();
    await browser.picture(page, `reference-${width}`);
    await page.getByRole('button', { name: 'Try it POST /sendings', exact: true }).click();

    const form = page.getByRole('dialog', { name: 'Try POST /sendings' });
    const token = form.getByLabel(/^Test token/);
    const send = form.getByRole('button', { name: 'Send call' });
    await form.getByText('A test token is needed.').waitFor();
    expect(await send.isDisabled()).toBe(true);
    await form.getByRole('button', { name: 'Make a test token for 8 hours' }).click();
    await expect.poll(() => token.inputValue()).toMatch(/^hg_/);

    const body = form.getByLabel('Request body');
    const documented = await body.inputValue();
    await body.fill('{');
    await form.getByText('This is not valid JSON.').waitFor();
    expect(await send.isDisabled()).toBe(true);
    await body.fill(documented.replace('MIRTEA', 'BEANBAR'));
    await send.click();
    const answered = form.getByRole('status');
    await answered.getByText(/^200 /).waitFor();
    const answer = form.getByRole('group', { name: 'Answer' });
    const { id } = JSON.parse(await answer.innerText()) as { id: string };
    const { rows } = await browser.db.query(
      `select s.phone, coalesce(s.amount, 0)::float8 as amount, k.id is not null as "isTest"
       from sendings s left join test_tokens k on k.id = s.token_id where s.id = $1`,
      [id],
    );
    expect(rows).toEqual([{ phone: '+79990000000', amount: 0, isTest: true }]);
    expect(await form.getByRole('group', { name: 'The same with curl' }).innerText()).toContain(
      '$TOKEN',
    );
    await browser.picture(page, `console-${width}`);
  },
  90_000,
);
