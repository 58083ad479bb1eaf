import type { Channel, PurchasePriceList } from '@heliograph/contract';
import { Anchor, Badge, Button, Group, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { withTexts } from '../../core/i18n/i18n.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash, IconUpload } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageButtons } from '../../ui/page-buttons.tsx';
import { aroundQuery, LISTS_PER_PAGE, listsQuery, useRemoveList } from './purchase-prices.api.ts';

const ListDialog = later(async () => (await import('./list-dialog.tsx')).ListDialog);
const EnterDialog = later(async () => (await import('./enter-dialog.tsx')).EnterDialog);
const UploadDialog = later(
  async () => (await withTexts(['storage'], () => import('./upload-dialog.tsx'))).UploadDialog,
);

interface PriceListsProps {
  channel: Pick<Channel, 'name' | 'types'>;
}

/** What the carrier of a channel takes: the lists that were, are and will be in force. */
export function PriceLists({ channel }: PriceListsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [page, setPage] = useState(1);
  const [adding, setAdding] = useState<'file' | 'typed' | null>(null);
  const [shown, setShown] = useState<PurchasePriceList | null>(null);
  const [removed, setRemoved] = useState<PurchasePriceList | null>(null);
  const found = useQuery({
    ...listsQuery(channel.name, page),
    placeholderData: keepPreviousData,
  });
  const mayUpdate = can('purchasePrices.update', 'managerUp');
  const around = useQuery({ ...aroundQuery(channel.name, null), enabled: mayUpdate });
  const { data } = found;
  const error = found.error ?? around.error;
  const lists = data?.data ?? [];
  const total = data?.total ?? 0;
  const pages = Math.ceil(total / LISTS_PER_PAGE);
  // The last list of the last page was deleted.
  if (data && page > 1 && page > pages) setPage(Math.max(pages, 1));
  const current = around.data?.inForce ?? around.data?.next;
  const close = () => setAdding(null);
  return (
    <section aria-labelledby="purchase-prices">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id="purchase-prices">
          {t('purchasePrices:title')}
        </Title>
        {mayUpdate && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconUpload size={16} aria-hidden />}
              disabled={!around.data}
              onClick={() => setAdding('file')}
            >
              {t('purchasePrices:upload')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={!around.data}
              onClick={() => setAdding('typed')}
            >
              {t('purchasePrices:enter')}
            </Button>
          </Group>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t('purchasePrices:hint')}{' '}
        {can('margins.get', 'managerUp') && (
          <Anchor component={Link} to={`/margins?by=country&ChannelId=${channel.name}`}>
            {t('purchasePrices:margins')}
          </Anchor>
        )}
      </Text>
      {error ? (
        <ErrorCard
          title={t('purchasePrices:failed')}
          error={error}
          onRetry={() => void Promise.all([found.refetch(), around.refetch()])}
        />
      ) : data && !total ? (
        <Text size="sm">
          {t('purchasePrices:none')} {mayUpdate && t('purchasePrices:next')}
        </Text>
      ) : (
        data && (
          <>
            <Lists lists={lists} onShow={setShown} onRemove={mayUpdate ? setRemoved : undefined} />
            <PageButtons
              page={page}
              pages={pages}
              previous={t('purchasePrices:previousPage')}
              next={t('purchasePrices:nextPage')}
              place={t('purchasePrices:place', {
                from: data.offset + 1,
                to: data.offset + lists.length,
                total,
              })}
              onChange={setPage}
              mt="sm"
            />
          </>
        )
      )}
      <ListDialog list={shown} onClose={() => setShown(null)} />
      <UploadDialog
        opened={adding === 'file'}
        channel={channel}
        currency={current?.currency}
        onClose={close}
      />
      <EnterDialog
        opened={adding === 'typed'}
        channel={channel}
        currency={current?.currency}
        onClose={close}
      />
      <RemoveList list={removed} onClose={() => setRemoved(null)} />
    </section>
  );
}

const stateOf = ({ isInForce, validFrom }: PurchasePriceList) =>
  isInForce ? 'inForce' : Date.parse(validFrom) > Date.now() ? 'planned' : 'former';
const COLORS = { inForce: 'green', planned: 'blue', former: 'gray' };

interface ListsProps {
  lists: PurchasePriceList[];
  onShow: (list: PurchasePriceList) => void;
  onRemove: ((list: PurchasePriceList) => void) | undefined;
}

function Lists({ lists, onShow, onRemove }: ListsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table aria-labelledby="purchase-prices">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('purchasePrices:from')}</Table.Th>
            <Table.Th scope="col">{t('purchasePrices:state.label')}</Table.Th>
            <Table.Th scope="col">{t('purchasePrices:currency')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('purchasePrices:count')}
            </Table.Th>
            {onRemove && <Table.Td />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lists.map((list) => {
            const state = stateOf(list);
            const time = formats.dateTime(list.validFrom);
            return (
              <Table.Tr key={list.id}>
                <Table.Td>
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    ta="start"
                    aria-label={t('purchasePrices:show', { time })}
                    onClick={() => onShow(list)}
                  >
                    <time dateTime={list.validFrom}>{time}</time>
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <Badge
                    variant="light"
                    radius="sm"
                    tt="none"
                    fw={500}
                    miw="max-content"
                    color={COLORS[state]}
                  >
                    {t(`purchasePrices:state.${state}`)}
                  </Badge>
                </Table.Td>
                <Table.Td>{list.currency}</Table.Td>
                <Table.Td ta="end" className="numeric">
                  {formats.number(list.count)}
                </Table.Td>
                {onRemove && (
                  <Table.Td ta="end">
                    <IconAction
                      icon={IconTrash}
                      label={t('purchasePrices:remove', { time })}
                      onClick={() => onRemove(list)}
                    />
                  </Table.Td>
                )}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RemoveListProps {
  list: PurchasePriceList | null;
  onClose: () => void;
}

function RemoveList({ list, onClose }: RemoveListProps) {
  const shown = useLast(list);
  const { t } = useTranslation();
  const formats = useFormats();
  const { mutate, isPending } = useRemoveList();
  const time = shown ? formats.dateTime(shown.validFrom) : '';
  return (
    <ConfirmDialog
      opened={!!list}
      title={t('purchasePrices:removeQuestion', { time })}
      action={t('purchasePrices:remove', { time })}
      busy={isPending}
      onClose={onClose}
      onConfirm={() =>
        list &&
        mutate(list, {
          onSuccess() {
            showSuccess(t('purchasePrices:removed'));
            onClose();
          },
        })
      }
    >
      {shown && t(`purchasePrices:removeText.${stateOf(shown)}`)}
    </ConfirmDialog>
  );
}
