import type { Sendername } from '@heliograph/contract';
import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { showSuccess } from '../../core/toast.tsx';
import { IconCheck, IconX } from '../../ui/icons.ts';
import { useKeepOpen } from '../../ui/dialog.tsx';
import { lacksReason, type Decision } from './moderation.ts';
import { useModerate } from './sendernames.api.ts';

interface ModerationFormProps {
  row: Sendername;
  decisions: Decision[];
  onDone?: () => void;
  /** A approves, R rejects or asks for the reason. */
  withKeys?: boolean;
}

/** Approves or rejects; a comment for the customer, and one that only colleagues read. */
export function ModerationForm({ row, decisions, onDone, withKeys }: ModerationFormProps) {
  const { t } = useTranslation();
  const { mutate, isPending, error } = useModerate(row.id);
  useKeepOpen(isPending);
  const [comment, setComment] = useState('');
  const [privateComment, setPrivate] = useState('');
  const [isAsked, setAsked] = useState(false);
  const reason = useRef<HTMLTextAreaElement>(null);

  const decide = (moderation: Decision) => {
    if (isPending || !decisions.includes(moderation)) return;
    if (lacksReason(moderation, comment)) {
      setAsked(true);
      reason.current?.focus();
      return;
    }
    const body = {
      moderation,
      ...(comment.trim() && { comment }),
      ...(privateComment.trim() && { privateComment }),
    };
    const onSuccess = () => {
      showSuccess(t(`sendernames:done.${moderation}`, { name: row.name }));
      onDone?.();
    };
    mutate(body, { onSuccess });
  };
  const onSubmit = (event: FormEvent) => event.preventDefault();

  return (
    <form onSubmit={onSubmit} noValidate aria-label={t('sendernames:decide', { name: row.name })}>
      <Stack gap="sm">
        {!!error && (
          <Alert color="red" role="alert">
            {errorText(t, error)}
          </Alert>
        )}
        <Textarea
          ref={reason}
          label={t('sendernames:forCustomer')}
          description={t('sendernames:forCustomerHint')}
          autosize
          minRows={2}
          maxLength={1000}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
          error={isAsked && !comment.trim() && t('sendernames:sayWhy')}
        />
        <Textarea
          label={t('sendernames:forColleagues')}
          description={t('sendernames:forColleaguesHint')}
          autosize
          minRows={2}
          maxLength={1000}
          value={privateComment}
          onChange={(event) => setPrivate(event.currentTarget.value)}
        />
        <Group>
          {decisions.includes('approved') && (
            <Button
              leftSection={<IconCheck size={18} aria-hidden />}
              onClick={() => decide('approved')}
              loading={isPending}
              aria-keyshortcuts={withKeys ? 'a' : undefined}
            >
              {t('sendernames:approve')}
            </Button>
          )}
          {decisions.includes('rejected') && (
            <Button
              variant="outline"
              color="red"
              leftSection={<IconX size={18} aria-hidden />}
              onClick={() => decide('rejected')}
              disabled={isPending}
              aria-keyshortcuts={withKeys ? 'r' : undefined}
            >
              {t('sendernames:reject')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
