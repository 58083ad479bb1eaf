import type { GroupRef, User } from '@heliograph/contract';
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { later } from '../../ui/later.tsx';
import type { Noun } from './account-groups.api.ts';

const AssignGroups = later(async () => (await import('./assign-groups.tsx')).AssignGroups);

interface UserGroupsProps {
  noun: Noun;
  user: User;
  groups: GroupRef[];
  title: string;
  /** Said in place of rows. */
  none: string;
}

/** The groups of one kind that an account is in; others for those who administer them. */
export function UserGroups({ noun, user, groups, title, none }: UserGroupsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [isChanging, setChanging] = useState(false);
  const mayRead = can(`${noun}.get`, 'managerUp');
  const mayAssign = mayRead && can(`${noun}.update`, 'managerUp');
  const id = `user-${noun}`;
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {mayAssign && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('common:labelled', { label: t('accountGroups:change'), value: title })}
            onClick={() => setChanging(true)}
          >
            {t('accountGroups:change')}
          </Button>
        )}
      </Group>
      {groups.length ? (
        <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {groups.map((group) => (
            <Text component="li" key={group.id} size="sm">
              {mayRead ? (
                <Anchor component={Link} to={`/${noun}?id=${group.id}`} inherit>
                  {group.title}
                </Anchor>
              ) : (
                group.title
              )}
            </Text>
          ))}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {mayAssign && (
        <AssignGroups
          noun={noun}
          user={user}
          groups={groups}
          opened={isChanging}
          onClose={() => setChanging(false)}
        />
      )}
    </section>
  );
}
