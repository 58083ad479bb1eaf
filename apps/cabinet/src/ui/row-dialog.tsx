import type { UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLast } from '../core/use-last.ts';
import { useParam } from '../core/use-param.ts';
import { DetailBody, useDetail } from './detail.tsx';
import { Sheet, type Dialog, type DialogWidth } from './dialog.tsx';

interface RowDialogProps<T> {
  query: (id: string) => UseQueryOptions<T, Error, T, string[]>;
  mayCreate: boolean;
  frame?: typeof Sheet | typeof Dialog;
  size: DialogWidth;
  createTitle: string;
  /** Of a row; there is none until it is read. */
  title: (row: T | undefined) => string;
  /** Says that the row could not be read. */
  failed: string;
  /** The form; a new row is null. */
  children: (row: T | null, onClose: () => void) => ReactNode;
}

/** A row to read and change, `?id=`; a new one, `?create=true`. */
export function RowDialog<T>(props: RowDialogProps<T>) {
  const { query, mayCreate, frame: Frame = Sheet, size, createTitle, title, failed } = props;
  const [creating, setCreating] = useParam('create');
  const detail = useDetail(query);
  const isNew = creating !== null && mayCreate;
  const showsNew = useLast(isNew && !detail.id, isNew || !!detail.id);
  const onClose = () => (isNew ? setCreating(null, { replace: true }) : detail.setId(null));
  return (
    <Frame
      opened={!!detail.id || isNew}
      onClose={onClose}
      size={size}
      title={showsNew ? createTitle : title(detail.data)}
    >
      {showsNew ? (
        props.children(null, onClose)
      ) : (
        <DetailBody detail={detail} failed={failed}>
          {(row) => props.children(row, onClose)}
        </DetailBody>
      )}
    </Frame>
  );
}
