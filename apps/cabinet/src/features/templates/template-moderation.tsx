import type { Template } from '@heliograph/contract';
import { moderationTransition } from '@heliograph/domain';
import { Alert, Button, Group, Stack, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { errorText } from '../../core/errors.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { IconCheck, IconX } from '../../ui/icons.ts';
import { useModerateTemplate } from './templates.api.ts';

/** The decision about a customer's template; nobody decides about its own. */
export function TemplateModeration({ row }: { row: Template }) {
  const { t } = useTranslation();
  const can = useCan();
  const { data: me } = useQuery(meQuery);
  const { mutate, isPending, error } = useModerateTemplate(row.id);
  const [comment, setComment] = useState('');
  const [isAsked, setAsked] = useState(false);
  const reason = useRef<HTMLTextAreaElement>(null);
  if (!me || !can('templates.moderate', 'resellerUp') || row.OwnerId === me.OwnerId) return null;
  const decide = (moderation: 'approved' | 'rejected') => {
    if (moderation === 'rejected' && !comment.trim()) {
      setAsked(true);
      reason.current?.focus();
      return;
    }
    const onSuccess = () =>
      showSuccess(t(`templates:moderated.${moderation}`, { title: row.title }));
    mutate({ moderation, ...(comment.trim() && { comment }) }, { onSuccess });
  };
  if (!moderationTransition(row.moderation, 'reject')) return null;
  return (
    <Stack component="section" gap="sm" aria-labelledby="template-decision">
      <Title order={2} size="h5" id="template-decision">
        {t('templates:decision')}
      </Title>
      {!!error && (
        <Alert color="red" role="alert">
          {errorText(t, error)}
        </Alert>
      )}
      <Textarea
        ref={reason}
        label={t('templates:forCustomer')}
        autosize
        minRows={2}
        maxLength={1000}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        error={isAsked && !comment.trim() && t('templates:sayWhy')}
      />
      <Group>
        {moderationTransition(row.moderation, 'approve') && (
          <Button
            leftSection={<IconCheck size={18} aria-hidden />}
            loading={isPending}
            onClick={() => decide('approved')}
          >
            {t('templates:approve')}
          </Button>
        )}
        <Button
          variant="outline"
          color="red"
          leftSection={<IconX size={18} aria-hidden />}
          disabled={isPending}
          onClick={() => decide('rejected')}
        >
          {t('templates:reject')}
        </Button>
      </Group>
    </Stack>
  );
}
