import type { Page } from 'playwright';

/** Closes the dialog of a secret. Escape, by which it would be lost, does not. */
export async function closeSecret(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}
