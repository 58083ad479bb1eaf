import type { OtpWidget } from '@heliograph/contract';
import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodePane } from '../../ui/code-pane.tsx';

const script = (origin: string) => `<script src="${origin}/otp/widget.js" defer></script>`;

const elementCode = (origin: string, id: string) =>
  `${script(origin)}
<heliograph-otp widget-id="${id}"></heliograph-otp>`;

const containerCode = (origin: string, id: string) =>
  `<div id="otp"></div>
<script>
  window.OTP_WIDGETS = [{ widgetId: '${id}', containerId: 'otp' }];
  document.addEventListener('code:check', ({ detail }) => {
    // { requestId, recipient, status }: after "confirmed" ask your own server.
  });
</script>
${script(origin)}`;

const serverCode = (origin: string) =>
  `curl --request POST --header 'Authorization: Bearer <token>' \\
  '${origin}/api/n/otp-handler/<requestId>/checkStatusAndComplete?recipient=<recipient>'`;

/** What goes into the page and the server of the customer. */
export function WidgetCode({ row }: { row: OtpWidget }) {
  const { t } = useTranslation();
  const { origin } = location;
  return (
    <Stack>
      <CodePane
        label={t('widgets:code.element')}
        hint={t('widgets:code.elementHint')}
        code={elementCode(origin, row.id)}
      />
      <CodePane
        label={t('widgets:code.container')}
        hint={t('widgets:code.containerHint')}
        code={containerCode(origin, row.id)}
      />
      <CodePane
        label={t('widgets:code.server')}
        hint={t('widgets:code.serverHint')}
        code={serverCode(origin)}
      />
      <Text size="sm">
        <Anchor href={`/otp/demo?widget=${row.id}`} target="_blank" rel="noopener" inherit>
          {t('widgets:code.try')}
        </Anchor>{' '}
        {t('widgets:code.tryHint')}
      </Text>
    </Stack>
  );
}
