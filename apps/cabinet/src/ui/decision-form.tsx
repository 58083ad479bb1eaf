import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../core/errors.ts';
import { useKeepOpen } from './dialog.tsx';
import { lacksReason, type Decision, type Verdict } from './decisions.ts';
import { IconCheck, IconX } from './icons.ts';

interface DecisionFormProps {
  /** What is decided about. */
  label: string;
  decisions: Decision[];
  isPending: boolean;
  error: unknown;
  /** A second comment, which only colleagues read. */
  hasPrivate?: boolean;
  /** A approves, R rejects or asks for the reason; keys act outside of dialogs alone. */
  withKeys?: boolean;
  onDecide: (verdict: Verdict) => void;
}

/** Approves or rejects with a comment for the customer, who is owed one when it is rejected. */
export function DecisionForm(props: DecisionFormProps) {
  const { label, decisions, isPending, error, hasPrivate, withKeys, onDecide } = props;
  const { t } = useTranslation();
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
    onDecide({
      moderation,
      ...(comment.trim() && { comment }),
      ...(privateComment.trim() && { privateComment }),
    });
  };
  const onSubmit = (event: FormEvent) => event.preventDefault();

  return (
    <form onSubmit={onSubmit} noValidate aria-label={label}>
      <Stack gap="sm">
        {!!error && (
          <Alert color="red" role="alert">
            {errorText(t, error)}
          </Alert>
        )}
        <Textarea
          ref={reason}
          label={t('decision.forCustomer')}
          description={t('decision.forCustomerHint')}
          autosize
          minRows={2}
          maxLength={1000}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
          error={isAsked && !comment.trim() && t('decision.sayWhy')}
        />
        {hasPrivate && (
          <Textarea
            label={t('decision.forColleagues')}
            description={t('decision.forColleaguesHint')}
            autosize
            minRows={2}
            maxLength={1000}
            value={privateComment}
            onChange={(event) => setPrivate(event.currentTarget.value)}
          />
        )}
        <Group>
          {decisions.includes('approved') && (
            <Button
              leftSection={<IconCheck size={18} aria-hidden />}
              onClick={() => decide('approved')}
              loading={isPending}
              aria-keyshortcuts={withKeys ? 'a' : undefined}
            >
              {t('decision.approve')}
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
              {t('decision.reject')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
