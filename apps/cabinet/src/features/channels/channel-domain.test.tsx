import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ChannelDomain } from './channel-domain.tsx';

const record = (kind: string, state: string, found: string[] = []) => ({
  kind,
  type: 'TXT',
  name: `${kind}.tea.example`,
  wanted: `wanted ${kind}`,
  found,
  state,
});

test('the DNS is looked up when asked, and shows what is wanted of what is not right', async () => {
  let asked = 0;
  server.use(
    http.get('*/api/channels/mail/domain', () => {
      asked++;
      return asked === 1
        ? HttpResponse.json({}, { status: 403 })
        : HttpResponse.json({
            records: [record('spf', 'right', ['v=spf1 -all']), record('dmarc', 'missing')],
          });
    }),
  );
  const { user } = await draw(<ChannelDomain channel="mail" />, { namespaces: ['channels'] });
  expect(asked).toBe(0);
  const check = screen.getByRole('button', { name: i18n.t('channels:domain.check') });
  await user.click(check);
  await screen.findByText(i18n.t('channels:domain.failed'));
  await user.click(check);
  await screen.findByText(i18n.t('channels:domain.state.missing'));
  expect(screen.getByText(i18n.t('channels:domain.state.right'))).toBeTruthy();
  expect(screen.getByText('v=spf1 -all')).toBeTruthy();
  expect(screen.getByText('wanted dmarc')).toBeTruthy();
  expect(screen.queryByText('wanted spf')).toBeNull();
  expect(screen.queryByText(i18n.t('channels:domain.failed'))).toBeNull();
});
