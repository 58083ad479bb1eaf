import type { TaskVariants } from '@heliograph/contract';
import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** Which part of a bulk with two texts it is. The texts lead to the page of the rest, which has both with their figures. */
export function TaskPart({ part, tasks }: Pick<TaskVariants, 'part' | 'tasks'>) {
  const { t } = useTranslation();
  if (part === 'rest')
    return (
      <Text size="xs" c="dimmed">
        {t('tasks:restOfTwo')}
      </Text>
    );
  return (
    <Anchor component={Link} to={`/messages/tasks/${tasks.rest}`} size="xs">
      {t('tasks:textOfTwo', { text: part })}
    </Anchor>
  );
}
