/** The dialog or drawer on top. */
export const dialog = (page) => [page.getByRole('dialog').last()];
export const row = (page, text) => page.locator('[data-row]').filter({ hasText: text }).first();

/** Opens the details of a row. */
export async function open(page, text) {
  await row(page, text).click();
  await page.getByRole('dialog').last().waitFor();
}

/** Presses a button with this text and waits for what it opens. */
export async function press(page, name) {
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('dialog').last().waitFor();
}
