import type { PriceListPreview } from '@heliograph/contract';
import { Alert, Button, Group, ScrollArea, Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { FileSelect } from '../storage/file-select.tsx';
import { usePriceList, type Rule } from './catalogue.api.ts';
import { callPriceText } from './rule-sentence.ts';

interface PriceListDialogProps {
  opened: boolean;
  rules: Rule[];
  /** A new tariff has one version. */
  canStartLater: boolean;
  /** The rules of a version, and the day from which they are to apply. */
  onTake: (rules: Rule[], from: string | null) => void;
  onClose: () => void;
}

/** Files whose formulas are recognised. */
const TYPES = [
  'text/csv',
  'text/plain',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];
const EXTENSIONS = ['csv', 'xlsx', 'txt'];

/** Reads a price list, shows what it changes, and puts its rules into the form, where they are saved. */
export function PriceListDialog(props: PriceListDialogProps) {
  const { opened, rules, canStartLater, onTake, onClose } = props;
  const { t } = useTranslation();
  const read = usePriceList();
  const close = () => {
    onClose();
    read.reset();
  };
  const take = (version: PriceListPreview['versions'][number]) => {
    onTake(version.rules, version.from);
    read.reset();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      busy={read.isPending}
      size={800}
      title={t('tariffCatalogue:priceList.title')}
    >
      <Stack>
        {read.data ? (
          <Preview preview={read.data} canStartLater={canStartLater} onTake={take} />
        ) : (
          <>
            <Text size="sm">{t('tariffCatalogue:priceList.text')}</Text>
            {!!read.error && (
              <Alert color="red" role="alert">
                {errorText(t, read.error)}
              </Alert>
            )}
            <FileSelect
              preset="sheet"
              types={TYPES}
              extensions={EXTENSIONS}
              disabled={read.isPending}
              onPick={({ key }) => read.mutate({ from: { key }, rules })}
            />
            <UploadProgress
              ratio={read.isPending ? 1 : null}
              then={t('tariffCatalogue:priceList.reading')}
            />
          </>
        )}
      </Stack>
    </Dialog>
  );
}

interface PreviewProps {
  preview: PriceListPreview;
  canStartLater: boolean;
  onTake: (version: PriceListPreview['versions'][number]) => void;
}

/** Of long lists, as many entries are named. */
const SHOWN = 10;

function Preview({ preview, canStartLater, onTake }: PreviewProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { rows, versions, unknown, rejected, rejectedCount } = preview;
  return (
    <>
      <Text size="sm" role="status">
        {t('tariffCatalogue:priceList.rows', { number: formats.number(rows) })}
      </Text>
      {unknown.length > 0 && (
        <Alert color="yellow" title={t('tariffCatalogue:priceList.unknown')}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {unknown.join(', ')}
          </Text>
        </Alert>
      )}
      {rejectedCount > 0 && (
        <Alert
          color="yellow"
          title={t('tariffCatalogue:priceList.rejected', { number: formats.number(rejectedCount) })}
        >
          <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }}>
            {rejected.slice(0, SHOWN).map(({ row, reason }) => (
              <Text component="li" size="sm" key={row}>
                {t('tariffCatalogue:priceList.row', {
                  number: formats.number(row),
                  reason: t(`tariffCatalogue:reasons.${reason}`),
                })}
              </Text>
            ))}
          </Stack>
        </Alert>
      )}
      {versions.map((version) => (
        <Version
          key={version.from}
          version={version}
          isOffered={canStartLater || !version.from}
          onTake={() => onTake(version)}
        />
      ))}
    </>
  );
}

type CallPrice = NonNullable<
  PriceListPreview['versions'][number]['changes'][number]['call']
>['before'];

interface VersionProps {
  version: PriceListPreview['versions'][number];
  isOffered: boolean;
  onTake: () => void;
}

function Version({ version, isOffered, onTake }: VersionProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { from, changes, changed } = version;
  const title = from
    ? t('tariffCatalogue:priceList.from', { day: formats.day(from) })
    : t('tariffCatalogue:priceList.now');
  const price = (value: number | null, call?: CallPrice | null) => {
    if (value === null) return '—';
    return call ? callPriceText(value, call, { t, formats }) : formats.money(value);
  };
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h6">
          {title}
        </Title>
        {isOffered && (
          <Button size="xs" onClick={onTake}>
            {t('tariffCatalogue:priceList.take')}
          </Button>
        )}
      </Group>
      <Text size="sm" mb="xs">
        {t('tariffCatalogue:priceList.changed', { number: formats.number(changed) })}
      </Text>
      {changes.length > 0 && (
        <ScrollArea.Autosize mah={260}>
          <Table aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('tariffs:source')}</Table.Th>
                <Table.Th scope="col">{t('tariffCatalogue:priceList.target')}</Table.Th>
                <Table.Th scope="col" ta="end">
                  {t('tariffCatalogue:priceList.before')}
                </Table.Th>
                <Table.Th scope="col" ta="end">
                  {t('tariffCatalogue:priceList.after')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ type, target, before, after, call }) => (
                <Table.Tr key={`${type} ${target}`}>
                  <Table.Td>
                    {type ? t(`common:type.${type}`) : t('tariffCatalogue:anyChannel')}
                  </Table.Td>
                  <Table.Td className="numeric">
                    {target ?? t('tariffCatalogue:priceList.any')}
                  </Table.Td>
                  <Table.Td className="numeric" ta="end">
                    {price(before, call?.before)}
                  </Table.Td>
                  <Table.Td className="numeric" ta="end">
                    {price(after, call?.after)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </section>
  );
}
