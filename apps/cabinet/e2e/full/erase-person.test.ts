import { afterAll, beforeAll, expect, test } from 'vitest';
import texts from '../../src/locales/en/contactLists.json' with { type: 'json' };
import { expectAccessible, TestBrowser, wide, widths } from '../test-browser.ts';

const { contact: words } = texts;
const about = (text: string, contact: string) => text.replace('{{contact}}', contact);
let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test.each(widths(1280))(
  'a person is erased from a contact at %i px: from lists, messages and incoming messages',
  async (width) => {
    const page = await browser.page(wide(width));
    await browser.signIn(page, 'customer2');
    const { rows } = await browser.db.query<{ list: string; owner: string; phone: string }>(
      `select c.list_id as list, l.owner_id as owner, c.phone from contacts c
         join contact_lists l on l.id = c.list_id join users u on u.id = l.owner_id
        where u.username = 'customer2' and l.title = 'Regulars' order by c.id limit 1`,
    );
    const { list, owner, phone } = rows[0]!;
    await browser.db.query(
      `insert into sendings_incoming (owner_id, type, "from", "to", payload) values ($1, 1, $2, 'BEANBAR', '{"text":"Yes"}')`,
      [owner, phone],
    );
    await page.goto(`${browser.url}/contacts/${list}?q=${encodeURIComponent(phone)}`);
    const edit = page.getByRole('button', {
      name: new RegExp(words.editOne.split('{{contact}}')[0]!),
    });
    await edit.first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: words.erase }).click();
    const question = page.getByRole('dialog', { name: about(words.eraseQuestion, phone) });
    await question.getByText(words.eraseText).waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: words.erase }).click();
    await page.getByText(about(words.erased, phone)).first().waitFor();
    const left = () =>
      browser.db
        .query<{ n: number }>(
          `select (select count(*) from contacts where phone = $2 and list_id in (select id from contact_lists where owner_id = $1))
                + (select count(*) from sendings where phone = $2 and owner_id = $1)
                + (select count(*) from sendings_incoming where "from" = $2 and owner_id = $1) as n`,
          [owner, phone],
        )
        .then((found) => Number(found.rows[0]!.n));
    await expect.poll(left, { timeout: 20_000 }).toBe(0);
    await edit.first().waitFor({ state: 'detached' });
    expect(browser.consoleErrors).toEqual([]);
  },
);
