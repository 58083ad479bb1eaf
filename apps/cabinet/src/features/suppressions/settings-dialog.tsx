import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParam } from '../../core/use-param.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Dialog, type DialogWidth } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';

interface SettingsDialogProps<T, K extends QueryKey> {
  /** Of the address: the dialog is open while it is there. */
  param: string;
  title: string;
  size?: DialogWidth;
  query: UseQueryOptions<T, Error, T, K>;
  /** Title of the error if the settings cannot be loaded. */
  failed: string;
  children: (settings: T, close: () => void) => ReactNode;
}

/** Settings of the account that are loaded when their dialog opens. */
export function SettingsDialog<T, K extends QueryKey>({
  param,
  title,
  size,
  ...loaded
}: SettingsDialogProps<T, K>) {
  const [open, setOpen] = useParam(param);
  const close = () => setOpen(null, { replace: true });
  return (
    <Dialog opened={open !== null} onClose={close} size={size} title={title}>
      <Loaded {...loaded} close={close} />
    </Dialog>
  );
}

function Loaded<T, K extends QueryKey>({
  query,
  failed,
  children,
  close,
}: Pick<SettingsDialogProps<T, K>, 'query' | 'failed' | 'children'> & { close: () => void }) {
  const { data, error, refetch } = useQuery(query);
  if (data) return children(data, close);
  if (!error) return <DetailsSkeleton />;
  return <ErrorCard title={failed} error={error} onRetry={() => void refetch()} />;
}
