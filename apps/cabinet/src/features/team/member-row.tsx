import { ROLES, type Member, type Role } from '@heliograph/contract';
import { Badge, Button, Group, NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf } from './name-of.ts';
import { useChangeRole } from './team.api.ts';

interface MemberRowProps {
  row: Member;
  mayChange: boolean;
  isInviting: boolean;
  /** Absent where the user may not. */
  onInvite?: (row: Member) => void;
  onRemove?: (row: Member) => void;
}

/** A user of the account: who it is, its role, and when it was there. */
export function MemberRow({ row, mayChange, isInviting, onInvite, onRemove }: MemberRowProps) {
  const { t } = useTranslation();
  const { UserId } = useSettings().session;
  const formats = useFormats();
  const { id, username, role, isHolder, isActive, invitedAt, hasSecondFactor, lastUsedAt } = row;
  const name = nameOf(row);
  // The holder stays, and nobody changes its own role.
  const isFixed = isHolder || id === UserId;
  return (
    <Group component="li" gap="md" align="flex-start" justify="space-between">
      <div style={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            <Blurred what={t('team:who')}>{name}</Blurred>
          </Text>
          {id === UserId && <Mark color="green" text={t('team:you')} />}
          {isHolder && <Mark color="gray" text={t('team:holder')} />}
          {!isActive && <Mark color="red" text={t('team:suspended')} />}
        </Group>
        {name !== username && (
          <Text size="sm" c="dimmed">
            <Blurred what={t('team:who')}>{username}</Blurred>
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {invitedAt ? (
            t('team:invited', { time: formats.dateTime(invitedAt) })
          ) : (
            <>
              {t('team:lastUsed')} {lastUsedAt ? <Time at={lastUsedAt} /> : t('team:notNow')}
              {hasSecondFactor && ` · ${t('team:factor')}`}
            </>
          )}
        </Text>
      </div>
      <Group gap="xs" align="center">
        {mayChange && !isFixed ? (
          <RoleSelect id={id} role={role} name={name} />
        ) : (
          <Text size="sm">{t(`team:roles.${role}`)}</Text>
        )}
        {invitedAt && !isHolder && onInvite && (
          <Button
            variant="default"
            size="xs"
            loading={isInviting}
            aria-label={t('team:againOf', { name })}
            onClick={() => onInvite(row)}
          >
            {t('team:again')}
          </Button>
        )}
        {!isFixed && onRemove && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('team:removeOf', { name })}
            onClick={() => onRemove(row)}
          >
            {t('team:remove')}
          </Button>
        )}
      </Group>
    </Group>
  );
}

function Mark({ color, text }: { color: string; text: string }) {
  return (
    <Badge variant="light" color={color} size="sm" tt="none">
      {text}
    </Badge>
  );
}

/** Shows the role that is chosen while it is stored. */
function RoleSelect({ id, role, name }: { id: string; role: Role; name: string }) {
  const { t } = useTranslation();
  const change = useChangeRole();
  return (
    <NativeSelect
      size="xs"
      aria-label={t('team:roleOf', { name })}
      value={change.isPending ? change.variables.role : role}
      disabled={change.isPending}
      data={ROLES.map((value) => ({ value, label: t(`team:roles.${value}`) }))}
      onChange={({ currentTarget }) => {
        const next = currentTarget.value as Role;
        change.mutate(
          { id, role: next },
          {
            onSuccess: () =>
              showSuccess(t('team:roleChanged', { name, role: t(`team:roles.${next}`) })),
          },
        );
      }}
    />
  );
}
