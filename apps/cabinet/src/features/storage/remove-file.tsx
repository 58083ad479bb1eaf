import { ApiError, type StoredFile } from '@heliograph/contract';
import { Alert, Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { errorText } from '../../core/errors.ts';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemoveFile } from './storage.api.ts';

interface RemoveFileProps {
  row: StoredFile | null;
  onClose: () => void;
}

/** Asks before a file is deleted; where it is used, says by what. */
export function RemoveFile({ row, onClose }: RemoveFileProps) {
  const { t } = useTranslation();
  const last = useLast(row);
  const { mutate, isPending, error, reset } = useRemoveFile();
  const close = () => {
    reset();
    onClose();
  };
  if (!last) return null;
  const { title } = last;
  return (
    <ConfirmDialog
      opened={!!row}
      title={t('storage:removeQuestion')}
      action={t('storage:remove', { title })}
      busy={isPending}
      onConfirm={() => mutate(last.id, { onSuccess: close })}
      onClose={close}
    >
      {t('storage:removeText', { title })} {last.isPublic && t('storage:removePublic')}
      {!!error && <Refusal error={error} />}
    </ConfirmDialog>
  );
}

interface Users {
  locks: number;
  tasks: { id: string; title: string }[];
  templates: { id: string; title: string }[];
  contracts: { id: string; title: string }[];
}

function Refusal({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || error.code !== 'in_use')
    return (
      <Alert color="red" role="alert" mt="sm" component="span" display="block">
        {errorText(t, error)}
      </Alert>
    );
  const {
    locks,
    tasks = [],
    templates = [],
    contracts = [],
  } = error.body.payload as Partial<Users>;
  const named = [
    ...tasks.map((one) => ({
      ...one,
      to: `/messages/tasks?id=${one.id}`,
      label: 'storage:usedByTask',
    })),
    ...templates.map((one) => ({
      ...one,
      to: `/messages/templates?id=${one.id}`,
      label: 'storage:usedByTemplate',
    })),
    ...contracts.map((one) => ({
      ...one,
      to: '/account/requisites',
      label: 'storage:usedByContract',
    })),
  ];
  return (
    <Alert color="red" role="alert" mt="sm" title={t('storage:usedBy')}>
      <ul style={{ margin: 0, paddingInlineStart: 20 }}>
        {named.map(({ id, title, to, label }) => (
          <li key={id}>
            <Anchor component={Link} to={to}>
              {t(label, { title })}
            </Anchor>
          </li>
        ))}
        {(locks ?? 0) > named.length && <li>{t('storage:usedByMessages')}</li>}
      </ul>
    </Alert>
  );
}
