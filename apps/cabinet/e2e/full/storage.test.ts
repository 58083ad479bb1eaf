import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUsable } from '../usable.ts';
import { expectFocus, press } from '../keys.ts';
import { entry, quiet, TestBrowser, wide, widths } from '../test-browser.ts';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** A picture of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Drops files of this computer on the open dialog, as a pointer does. */
async function drop(page: Page, files: { name: string; base64: string }[]): Promise<void> {
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const { name, base64 } of given)
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    return data;
  }, files);
  const zone = page.getByText('Drop or paste files here');
  await zone.dispatchEvent('dragover', { dataTransfer: transfer });
  await zone.dispatchEvent('drop', { dataTransfer: transfer });
}

/** Both widths and schemes are looked at once. */
async function looksFine(page: Page, name: string, width: number): Promise<void> {
  if (width === 1280) await expectUsable(browser, page, name);
}

test.each(widths(1280))(
  'files are dropped, looked at, renamed, shared and deleted at %d',
  async (width) => {
    const title = `tea-${width}.png`;
    const page = await browser.signedIn('customer2', wide(width));
    await page.goto(`${browser.url}/files`);
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/storage');

    await page.getByRole('button', { name: 'Upload files' }).first().click();
    await page.waitForURL(/\/storage\/create/);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kind').selectOption('image');
    await drop(page, [
      { name: 'notes.txt', base64: btoa('tea') },
      { name: 'nothing.png', base64: '' },
      { name: title, base64: PNG },
    ]);
    await dialog.getByText('This format is not accepted here.').first().waitFor();
    await dialog.getByText('The file is empty.').first().waitFor();
    await dialog.getByText('uploaded', { exact: true }).waitFor();
    await looksFine(page, 'storage-upload', width);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.waitForURL((url) => url.pathname === '/storage');

    await entry(page, title).waitFor();
    await expect.poll(() => entry(page, 'notes.txt').count()).toBe(0);
    await quiet(page);
    await looksFine(page, 'storage', width);
    await entry(page, title).getByRole('link').first().click();
    const drawer = page.getByRole('dialog', { name: title });
    await drawer.getByRole('img', { name: title }).waitFor();
    await drawer.getByText('1 × 1').waitFor();
    await quiet(page);
    await looksFine(page, 'storage-file', width);

    await drawer.getByRole('button', { name: 'Create a link' }).click();
    const link = drawer.getByRole('textbox', { name: 'Public link' });
    await link.waitFor();
    const path = new URL(await link.inputValue()).pathname;
    const read = async () => (await fetch(browser.url + path)).status;
    expect(await read()).toBe(200);
    await drawer.getByRole('button', { name: 'Withdraw the link' }).click();
    await drawer.getByRole('button', { name: 'Create a link' }).waitFor();
    expect(await read()).toBe(404);

    await drawer.getByRole('button', { name: 'Rename' }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename the file' });
    await renaming.getByLabel('Title').fill(`Pot ${width}`);
    await renaming.getByRole('button', { name: 'Save' }).click();
    await renaming.waitFor({ state: 'hidden' });
    const renamed = page.getByRole('dialog', { name: `Pot ${width}` });
    await renamed.waitFor();
    await renamed.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('button', { name: `Delete Pot ${width}` })
      .last()
      .click();
    await page.getByText('The file has been deleted').first().waitFor();
    await page.keyboard.press('Escape');
    await entry(page, `Pot ${width}`).waitFor({ state: 'detached' });
    expect(browser.consoleErrors.filter((said) => !said.includes('404'))).toEqual([]);
  },
  240_000,
);

test.each(widths(1280))(
  'a file is uploaded, looked at, renamed, shared and deleted by the keyboard alone, and counts down its last hour, at %d',
  async (width) => {
    const page = await browser.signedIn('customer2', wide(width));
    await page.goto(`${browser.url}/storage`);
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
    await quiet(page);
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await press(page, /^Choose files/);
    const content = { mimeType: 'text/csv', buffer: Buffer.from('name;city\nAnna;Kazan\n') };
    await (await chooser).setFiles({ name: 'people.csv', ...content });
    await page.getByText('uploaded', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await entry(page, 'people.csv').waitFor();
    await quiet(page);
    await press(page, /^people\.csv/);
    const drawer = page.getByRole('dialog', { name: 'people.csv' });
    await drawer.getByRole('cell', { name: 'Kazan' }).waitFor();
    await press(page, /^Rename$/);
    await page.getByRole('dialog', { name: 'Rename the file' }).waitFor();
    await expectFocus(page, /^Title/);
    const title = `Guests ${width}`;
    await page.keyboard.press('Control+a');
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    const renamed = page.getByRole('dialog', { name: title });
    await renamed.waitFor();
    await press(page, /^Create a link$/);
    const link = renamed.getByRole('textbox', { name: 'Public link' });
    await link.waitFor();
    await expectFocus(page);
    const { pathname } = new URL(await link.inputValue());
    const read = async () => (await fetch(browser.url + pathname)).status;
    expect(await read()).toBe(200);
    await looksFine(page, 'storage-shared', width);
    await page.keyboard.press('Escape');

    const { rows } = await browser.db.query<{ id: string }>(
      `select id from files where title = $1`,
      [title],
    );
    const token = await browser.token('customer2');
    const expiredAt = new Date(Date.now() + 45_000).toISOString();
    await browser.call('PUT', `/storage/${rows[0]!.id}`, { expiredAt }, token);
    await entry(page, title, 'seconds left').waitFor();

    await press(page, new RegExp(`^${title}`));
    await renamed.waitFor();
    await press(page, /^Delete$/);
    await page.getByRole('dialog', { name: 'Delete the file?' }).waitFor();
    await press(page, new RegExp(`^Delete ${title}$`));
    await page.getByText('The file has been deleted').first().waitFor();
    expect(await read()).toBe(404);
    await page.keyboard.press('Escape');
    await entry(page, title).waitFor({ state: 'detached' });
    await expectFocus(page);
    expect(browser.consoleErrors.filter((said) => !said.includes('404'))).toEqual([]);
  },
);
