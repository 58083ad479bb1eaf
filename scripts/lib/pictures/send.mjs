/** The send form with the message, the recipients and the fallbacks of a template of the demo world. */
async function useTemplate(page, t, title) {
  await page.getByRole('button', { name: title }).click();
  await page.getByText(t('send:templateInUse', { title })).waitFor();
}

/** The same, on the step of the recipients with the number of those who get the message. */
async function useRecipients(page, t) {
  await useTemplate(page, t, 'Spring sale');
  await page.getByRole('button', { name: t('send:next'), exact: true }).click();
  await page.getByText(t('send:willGet'), { exact: true }).waitFor();
}

export const SEND_PICTURES = [
  {
    name: 'send-message',
    path: '/send',
    user: 'customer',
    height: 900,
    act: (page, t) => useTemplate(page, t, 'Spring sale'),
  },
  {
    name: 'send-fallback',
    path: '/send',
    user: 'customer',
    height: 2000,
    async act(page, t) {
      await useTemplate(page, t, 'Spring sale');
      await page.getByRole('button', { name: t('send:openFallback', { number: 1 }) }).click();
      await page.getByLabel(t('send:reply')).first().waitFor();
    },
    parts: (page, t) => [page.getByRole('group', { name: t('send:fallback', { number: 1 }) })],
  },
  {
    name: 'send-recipients',
    path: '/send',
    user: 'customer',
    height: 900,
    async act(page, t) {
      await useRecipients(page, t);
    },
  },
  {
    name: 'send-check',
    path: '/send',
    user: 'customer',
    height: 900,
    async act(page, t) {
      await useRecipients(page, t);
      await page.getByRole('button', { name: t('send:next'), exact: true }).click();
      await page.getByText(t('send:balanceAfter')).first().waitFor();
    },
  },
];
