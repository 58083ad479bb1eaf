import type { OpenSession } from '@heliograph/contract';
import { placeText } from '@heliograph/domain';
import { Badge, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { IconPhone, IconSystem } from '../../ui/icons.ts';
import { Time } from '../../ui/time.tsx';

interface SessionRowProps {
  row: OpenSession;
  isEnding: boolean;
  /** Absent where the session cannot be ended. */
  onEnd?: (id: string) => void;
}

/** An open session: device, place and times. */
export function SessionRow({ row, isEnding, onEnd }: SessionRowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { id, browser, system, device, ip, isCurrent, Actor } = row;
  const name = [browser, system].filter(Boolean).join(', ') || t('security:sessions.unknownDevice');
  const place = placeText(formats.locale, row.place);
  const where = [ip, place].filter(Boolean).join(' · ');
  const Icon = device === 'mobile' || device === 'tablet' ? IconPhone : IconSystem;
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Icon size={20} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <div style={{ flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {isCurrent && (
            <Badge variant="light" color="green" size="sm">
              {t('security:sessions.current')}
            </Badge>
          )}
          {Actor && (
            <Badge variant="light" color="gray" size="sm" tt="none">
              {t('security:sessions.by', { username: Actor.username })}
            </Badge>
          )}
        </Group>
        {where && (
          <Text size="sm" c="dimmed">
            <Blurred what={t('security:sessions.where')}>{where}</Blurred>
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {t('security:sessions.signedIn')} <Time at={row.signedInAt} /> ·{' '}
          {t('security:sessions.lastUsed')} <Time at={row.lastUsedAt} />
        </Text>
      </div>
      {onEnd && (
        <Button
          variant="default"
          size="xs"
          style={{ flexShrink: 0 }}
          loading={isEnding}
          aria-label={t('security:sessions.endOf', { device: name })}
          onClick={() => onEnd(id)}
        >
          {t('security:sessions.end')}
        </Button>
      )}
    </Group>
  );
}
