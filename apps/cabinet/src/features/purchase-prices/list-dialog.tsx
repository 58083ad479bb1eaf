import type { PurchasePrice, PurchasePriceList } from '@heliograph/contract';
import { foldText } from '@heliograph/domain';
import { Button, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { csvText } from '../../core/csv-text.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconDownload } from '../../ui/icons.ts';
import { PageButtons } from '../../ui/page-buttons.tsx';
import { saveText } from '../../ui/save-text.ts';
import { priceText, useDestinationNames } from './price-words.ts';
import { listQuery } from './purchase-prices.api.ts';

interface ListDialogProps {
  list: PurchasePriceList | null;
  onClose: () => void;
}

/** The prices of a list, of which there may be thousands. */
export function ListDialog({ list, onClose }: ListDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const shown = useLast(list);
  return (
    <Dialog
      opened={!!list}
      onClose={onClose}
      savesNothing
      size={800}
      title={t('purchasePrices:listTitle', {
        time: shown ? formats.dateTime(shown.validFrom) : '',
      })}
    >
      {shown && <Prices key={shown.id} list={shown} />}
    </Dialog>
  );
}

const PER_PAGE = 50;

function Prices({ list }: { list: PurchasePriceList }) {
  const { t } = useTranslation();
  const formats = useFormats(list.currency);
  const [typed, setTyped] = useState('');
  const [type, setType] = useState('');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(listQuery(list.ChannelId, list.id));
  const all = data?.prices ?? [];
  const types = [...new Set(all.map((one) => one.type))];
  const sought = foldText(typed.trim());
  const found = all.filter(
    (one) =>
      (!type || one.type === type) &&
      (one.destination.toLowerCase().startsWith(sought) ||
        foldText(formats.region(one.destination)).startsWith(sought)),
  );
  const rows = found.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const nameOf = useDestinationNames(rows.map(({ destination }) => destination));
  if (error)
    return (
      <ErrorCard title={t('purchasePrices:failed')} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <DetailsSkeleton />;
  return (
    <Stack>
      <Group align="end">
        <TextInput
          label={t('purchasePrices:search')}
          description={t('purchasePrices:searchHint')}
          value={typed}
          maxLength={100}
          style={{ flex: '1 1 220px' }}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setPage(1);
          }}
        />
        {types.length > 1 && (
          <NativeSelect
            label={t('purchasePrices:type')}
            value={type}
            data={[
              { value: '', label: t('purchasePrices:anyType') },
              ...types.map((value) => ({ value, label: t(`common:type.${value}`) })),
            ]}
            onChange={(event) => {
              setType(event.currentTarget.value);
              setPage(1);
            }}
          />
        )}
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => saveText(fileName(list), csvText(linesOf(all, list)), 'text/csv')}
        >
          {t('purchasePrices:download')}
        </Button>
      </Group>
      {rows.length === 0 ? (
        <Text size="sm" role="status">
          {t('common:nothingFound')}
        </Text>
      ) : (
        <Table aria-label={t('purchasePrices:count')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('purchasePrices:destination')}</Table.Th>
              <Table.Th scope="col">{t('purchasePrices:type')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('purchasePrices:priceLabel')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((one) => (
              <Table.Tr key={`${one.type} ${one.destination}`}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{nameOf(one.destination)}</Table.Td>
                <Table.Td>{t(`common:type.${one.type}`)}</Table.Td>
                <Table.Td ta="end" className="numeric">
                  {priceText(one, { t, formats })}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <PageButtons
        page={page}
        pages={Math.ceil(found.length / PER_PAGE)}
        previous={t('purchasePrices:previousPage')}
        next={t('purchasePrices:nextPage')}
        place={t('purchasePrices:place', {
          from: (page - 1) * PER_PAGE + 1,
          to: (page - 1) * PER_PAGE + rows.length,
          total: found.length,
        })}
        onChange={setPage}
      />
    </Stack>
  );
}

const fileName = ({ ChannelId, validFrom }: PurchasePriceList) =>
  `${ChannelId}-${validFrom.slice(0, 10)}.csv`;

const HEADER = ['Type', 'Prefix', 'Destination', 'Price', 'Currency', 'Increments'];
/** Of a price: with fewer digits, those behind the mark could be read as thousands. */
const DECIMALS = 6;

/** As the import reads it. Prefixes have no plus, with which a cell would be a formula. */
const linesOf = (prices: readonly PurchasePrice[], { currency }: PurchasePriceList): string[][] => [
  HEADER,
  ...prices.map(({ type, destination, price, byLength }) => [
    type,
    destination.startsWith('+') ? destination.slice(1) : '',
    destination.startsWith('+') ? '' : destination,
    price.toFixed(DECIMALS),
    currency,
    byLength ? `${byLength.first}/${byLength.interval}` : '',
  ]),
];
