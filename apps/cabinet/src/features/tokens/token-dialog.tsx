import type { Token, TokenWithSecret } from '@heliograph/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TokenCopy } from './token-copy.tsx';
import { TokenForm } from './token-form.tsx';
import { tokenQuery, useCreateToken, useUpdateToken } from './tokens.api.ts';

/** A new token, `?create=true`, and its secret afterwards. Closing clears the secret. */
export function CreateTokenDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const { previous } = useSession();
  const [creating, setCreating] = useParam('create');
  const [created, setCreated] = useState<TokenWithSecret | null>(null);
  const create = useCreateToken();
  const isOpen = creating !== null && can('tokens.create') && !previous;
  if (!isOpen && created) setCreated(null);
  const close = () => {
    setCreated(null);
    create.reset();
    setCreating(null, { replace: true });
  };
  const title = t(created ? 'tokens:copyTitle' : 'tokens:createTitle');
  return (
    <Dialog opened={isOpen} onClose={close} size={600} title={title}>
      {created ? (
        <TokenCopy created={created} onClose={close} />
      ) : (
        <TokenForm row={null} submit={create.mutateAsync} onDone={setCreated} onClose={close} />
      )}
    </Dialog>
  );
}

/** A token to read and change, `?id=`. Only its user can change it. */
export function EditTokenDialog({ isOwn }: { isOwn: (row: Token) => boolean }) {
  const { t } = useTranslation();
  const can = useCan();
  const detail = useDetail(tokenQuery);
  const title = detail.data?.description ?? t('tokens:detail');
  return (
    <Dialog {...detail.frame} size={600} title={title}>
      <DetailBody detail={detail} failed={t('tokens:detailFailed')}>
        {(row) => (
          <EditForm
            key={row.id}
            row={row}
            readOnly={!can('tokens.update') || !isOwn(row)}
            onClose={detail.frame.onClose}
          />
        )}
      </DetailBody>
    </Dialog>
  );
}

interface EditFormProps {
  row: Token;
  readOnly: boolean;
  onClose: () => void;
}

function EditForm({ row, ...props }: EditFormProps) {
  const { t } = useTranslation();
  const update = useUpdateToken(row.id);
  const done = ({ description }: Token) => {
    showSuccess(t('tokens:saved', { description }));
    props.onClose();
  };
  return <TokenForm row={row} submit={update.mutateAsync} onDone={done} {...props} />;
}
