import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RefusalNote } from './refusal-note.tsx';
import { priceQuery, useCreateInstance } from './wapi.api.ts';

/** Says what an instance costs, creates it and opens it; `?create=true`. */
export function CreateWapi() {
  const { t } = useTranslation();
  const [creating, setCreating] = useParam('create');
  return (
    <Dialog
      opened={creating === 'true'}
      onClose={() => setCreating(null)}
      size={500}
      title={t('wapi:create')}
    >
      <Form onClose={() => setCreating(null)} />
    </Dialog>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [, setId] = useParam('id');
  const { data: price, error: unknownPrice } = useQuery(priceQuery);
  const formats = useFormats(price?.currency);
  const { mutate, isPending, error } = useCreateInstance();
  const isPriced = price && price.amount !== null;
  const amount = isPriced ? formats.money(price.amount!) : '';
  const create = () =>
    mutate(undefined, {
      onSuccess({ id }) {
        onClose();
        setId(id);
      },
    });
  return (
    <>
      <Text size="sm">
        {price && !isPriced ? t('errors:code.tariff_required') : t('wapi:createText', { amount })}
      </Text>
      {(error ?? unknownPrice) && <RefusalNote error={error ?? unknownPrice} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} disabled={isPending}>
          {t('cancel')}
        </Button>
        <Button onClick={create} loading={isPending} disabled={!isPriced} data-autofocus>
          {t('wapi:pay', { amount })}
        </Button>
      </Group>
    </>
  );
}
