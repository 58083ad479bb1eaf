import type { ImportReport } from '@heliograph/contract';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ContactField } from '@heliograph/domain';
import { useFormats } from '../../../core/use-formats.ts';
import { Facts } from '../../../ui/facts.tsx';
import { FileLink } from '../../../ui/file-link.tsx';
import { IconAlertTriangle, IconCheck } from '../../../ui/icons.ts';
import { useFieldName } from '../../../ui/use-field-name.ts';

interface ImportResultProps {
  report: ImportReport;
  onAgain: () => void;
  onClose: () => void;
}

/** The result of an import; rejected rows can be downloaded, corrected and imported again. */
export function ImportResult({ report, onAgain, onClose }: ImportResultProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { total, created, updated, skipped, repeated, rejected, rejectedFileId } = report;
  const { reasons, dropped, assumed, passedOver, sheet, dateOrder, several, hidden } = report;
  const count = { count: total, number: formats.number(total) };
  return (
    <Stack>
      {total + skipped > 0 ? (
        <Alert
          color="green"
          icon={<IconCheck aria-hidden />}
          role="status"
          title={t('contactLists:imported', count)}
        />
      ) : (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle aria-hidden />}
          role="alert"
          title={t('contactLists:nothingImported')}
        >
          {t('contactLists:columnsHint')}
        </Alert>
      )}
      <Facts
        facts={[
          { label: t('contactLists:report.created'), value: formats.number(created) },
          { label: t('contactLists:report.updated'), value: formats.number(updated) },
          {
            label: t('contactLists:report.skipped'),
            value: skipped > 0 && formats.number(skipped),
          },
          {
            label: t('contactLists:report.repeated'),
            value: repeated > 0 && formats.number(repeated),
          },
          {
            label: t('contactLists:report.rejected'),
            value: (
              <>
                {formats.number(rejected)}
                <Reasons counts={reasons} />
              </>
            ),
          },
          {
            label: t('contactLists:report.dropped'),
            value: Object.keys(dropped).length > 0 && <Reasons counts={dropped} />,
          },
          {
            label: t('contactLists:report.several'),
            value: several > 0 && formats.number(several),
          },
          { label: t('contactLists:report.hidden'), value: hidden > 0 && formats.number(hidden) },
          {
            label: t('contactLists:report.dates'),
            value: dateOrder && t(`contactLists:dateOrder.${dateOrder}`),
          },
          ...assumed.map(({ country, count: n }) => ({
            label: t('contactLists:report.assumed', { country: formats.region(country) }),
            value: formats.number(n),
          })),
          {
            label: t('contactLists:report.passedOver'),
            value: passedOver.length > 0 && passedOver.join(', '),
          },
          { label: t('contactLists:sheet'), value: sheet },
        ]}
      />
      {rejectedFileId && (
        <Text size="sm">
          <FileLink fileId={rejectedFileId} inherit>
            {t('contactLists:rejectedFile')}
          </FileLink>
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onAgain}>
          {t('contactLists:importMore')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('common:close')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Why, and how often; of a cell that does not fit its field, in which field. */
function Reasons({ counts }: { counts: Record<string, number> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = useFieldName();
  return Object.entries(counts).map(([reason, n]) => (
    <Text key={reason} size="xs" c="dimmed">
      {t('contactLists:report.because', {
        reason: reason.startsWith('custom')
          ? nameOf(reason as ContactField)
          : t(`contactLists:reason.${reason}`, { defaultValue: reason }),
        count: formats.number(n),
      })}
    </Text>
  ));
}
