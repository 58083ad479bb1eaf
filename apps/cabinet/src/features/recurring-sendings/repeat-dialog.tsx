import { recurringSendings, type Bulk, type TaskRecipients } from '@heliograph/contract';
import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useTimeZone } from '../../core/time-zone.ts';
import { showSuccess } from '../../core/toast.tsx';
import { DetailBody } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { repeatedContent, useCreateRecurring } from '../send/repeat.api.ts';
import { taskRecipientsQuery } from '../tasks/tasks.api.ts';
import { RecurringForm } from './recurring-form.tsx';
import { startValues } from './recurring-values.ts';

interface RepeatDialogProps {
  task: Bulk;
  opened: boolean;
  onClose: () => void;
}

/** Has a bulk to lists and segments sent again and again. */
export function RepeatDialog({ task, opened, onClose }: RepeatDialogProps) {
  const { t } = useTranslation();
  const detail = useQuery({ ...taskRecipientsQuery(task.id), enabled: opened });
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size={600}
      title={t('recurringSendings:repeat', { title: task.title })}
    >
      <DetailBody detail={detail} failed={t('recurringSendings:failed')}>
        {(recipients) => <RepeatForm task={task} recipients={recipients} onClose={onClose} />}
      </DetailBody>
    </Dialog>
  );
}

interface RepeatFormProps {
  task: Bulk;
  recipients: TaskRecipients;
  onClose: () => void;
}

function RepeatForm({ task, recipients, onClose }: RepeatFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const timeZone = useTimeZone();
  const { mutateAsync } = useCreateRecurring();
  const content = repeatedContent(task, recipients);
  if (!content) return <Alert color="yellow">{t('recurringSendings:addressed')}</Alert>;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('recurringSendings:about')}
      </Text>
      <RecurringForm
        initial={startValues(task.title, timeZone)}
        schema={recurringSendings.create.body}
        bodyOf={(timing) => ({ ...content, ...timing })}
        save={mutateAsync}
        submit={t('recurringSendings:start')}
        onDone={({ title }) => {
          const run = () => void navigate('/messages/recurring');
          showSuccess(t('recurringSendings:started', { title }), {
            label: t('recurringSendings:show'),
            run,
          });
          onClose();
        }}
        onCancel={onClose}
      />
    </Stack>
  );
}
