import type { User } from '@heliograph/contract';
import { Anchor, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ModerationBadge } from '../../ui/moderation-badge.tsx';
import { Money } from '../../ui/money.tsx';
import { UserGroups } from '../account-groups/user-groups-section.tsx';
import { AccountTariffs } from '../tariffs/account-tariffs-section.tsx';
import { MonthlyMinimumSection } from '../tariffs/monthly-minimum-section.tsx';
import { fullName } from './user-rights.ts';
import { UserSecondFactor } from './user-second-factor.tsx';
import { UserNotes } from './user-notes.tsx';
import { UserClosing } from './user-closing.tsx';
import { UserIdentity } from './user-identity.tsx';
import { UserStateBadge } from './user-state-badge.tsx';
import { UserAccount } from './user-account.tsx';
import { UserSuspension } from './user-suspension.tsx';

/** An account's identity, balance, tariffs, sender names, patterns and groups. */
export function UserDetails({ user }: { user: User }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data, balance, overdraft, Tariffs = [], Sendernames = [] } = user;
  const { RoutingGroups = [], MessageRuleGroups = [], Patterns = [] } = user;
  const hidden = (label: string, value: ReactNode) => ({
    label,
    value: value ? <Blurred what={label}>{value}</Blurred> : null,
  });
  const can = useCan();
  const mayReadLedger = can('billings.find', 'resellerUp');
  const mayReadMessages = can('sendings.get', 'resellerUp');
  const money = (value: number | undefined) =>
    value !== undefined && <Money value={value} currency={user.currency} />;
  return (
    <Stack>
      <div>
        <UserStateBadge user={user} />
      </div>
      <Facts
        facts={[
          hidden(t('users:name'), fullName(data)),
          hidden(t('users:email'), data.email),
          hidden(t('users:phone'), data.phone),
          ...(user.pendingEmail ? [hidden(t('users:pendingEmail'), user.pendingEmail)] : []),
          ...(user.pendingPhone ? [hidden(t('users:pendingPhone'), user.pendingPhone)] : []),
          { label: t('users:country'), value: data.country && formats.region(data.country) },
          { label: t('users:level'), value: t(`users:levels.${user.level}`) },
          { label: t('users:manager'), value: user.Manager?.username },
          hidden(t('users:balance'), money(balance)),
          hidden(t('users:overdraft'), money(overdraft)),
          {
            label: t('users:ledger'),
            value: mayReadLedger && (
              <Anchor component={Link} to={`/balance/billings?f.OwnerId=${user.OwnerId}`} size="sm">
                {t('users:toLedger')}
              </Anchor>
            ),
          },
          {
            label: t('users:traffic'),
            value: mayReadMessages && (
              <Anchor
                component={Link}
                to={`/messages/outgoing?f.OwnerId=${user.OwnerId}`}
                size="sm"
              >
                {t('users:toTraffic')}
              </Anchor>
            ),
          },
          { label: t('users:referralCode'), value: user.referralCode },
          {
            label: t('users:contract'),
            value: data.partnership?.hasContract && t('users:hasContract'),
          },
          { label: t('users:factor.label'), value: user.hasSecondFactor && t('users:factor.on') },
          { label: t('users:test'), value: user.isTest && t('users:isTest') },
          {
            label: t('users:created'),
            value: <time dateTime={user.createdAt}>{formats.dateTime(user.createdAt)}</time>,
          },
          { label: t('users:id'), value: <CopyId id={user.id} /> },
        ]}
      />
      <Group gap="xs">
        <UserSuspension user={user} />
        <UserClosing user={user} />
      </Group>
      <UserAccount user={user} />
      <UserIdentity user={user} />
      <UserSecondFactor user={user} />
      <UserNotes user={user} />
      <AccountTariffs OwnerId={user.OwnerId} username={user.username} tariffs={Tariffs} />
      <MonthlyMinimumSection OwnerId={user.OwnerId} username={user.username} />
      <Section id="user-sendernames" title={t('users:sendernames')} none={t('users:noSendernames')}>
        {Sendernames.map(({ id, name, type, moderation }) => (
          <Group component="li" key={id} gap="sm">
            <Anchor component={Link} to={`/settings/sendernames?id=${id}`} size="sm" miw={110}>
              {name}
            </Anchor>
            <Text size="sm" c="dimmed" miw={80}>
              {t(`common:type.${type}`)}
            </Text>
            <ModerationBadge state={moderation} label={t(`sendernames:moderation.${moderation}`)} />
          </Group>
        ))}
      </Section>
      <UserGroups
        noun="routingGroups"
        user={user}
        groups={RoutingGroups}
        title={t('users:routingGroups')}
        none={t('users:noRoutingGroups')}
      />
      <UserGroups
        noun="messageRuleGroups"
        user={user}
        groups={MessageRuleGroups}
        title={t('users:ruleGroups')}
        none={t('users:noRuleGroups')}
      />
      <Section id="user-patterns" title={t('users:patterns')} none={t('users:noPatterns')}>
        {Patterns.map(({ id, title, type, text }) => (
          <Group component="li" key={id} gap="sm" align="baseline">
            <Anchor component={Link} to={`/patterns?id=${id}`} size="sm" miw={110}>
              {title}
            </Anchor>
            <Text size="sm" c="dimmed" miw={80}>
              {t(`common:type.${type}`)}
            </Text>
            <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
          </Group>
        ))}
      </Section>
    </Stack>
  );
}

interface SectionProps {
  id: string;
  title: string;
  /** Said in place of rows. */
  none: string;
  children: ReactNode[];
}

function Section({ id, title, none, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h5" mb="xs" id={id}>
        {title}
      </Title>
      {children.length ? (
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {children}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
    </section>
  );
}
