import { ApiError } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import { LoginNotice } from './login-notice.tsx';

const headers = new Headers({ 'x-ratelimit-limit': '7', 'x-ratelimit-remaining': '0' });
const body = { name: 'AppError', code: 'rate_limited', message: 'Wait.', status: 429 } as const;
const error = new ApiError(429, body as never, headers);

function Blocked() {
  const [wait, setWait] = useState(30);
  return (
    <>
      <LoginNotice refusal={{ error, unmarked: [], marked: [] }} wait={wait} />
      <button onClick={() => setWait(wait - 1)}>later</button>
    </>
  );
}

test('a blocked sign-in names the limit and counts down, which a screen reader hears once', async () => {
  await draw(<Blocked />, { namespaces: ['auth'] });
  screen.getByText(
    'You have exceeded the limit of attempts (7) to enter the correct login password combination.',
  );
  const seconds = (count: number) => i18n.t('common:form.wait', { count });
  expect(screen.getAllByText(seconds(30))).toHaveLength(2);
  screen.getByRole('button', { name: 'later' }).click();
  const shown = await screen.findByText(seconds(29));
  expect(shown.getAttribute('aria-hidden')).toBe('true');
  expect(screen.getByText(seconds(30)).getAttribute('aria-hidden')).toBeNull();
});
