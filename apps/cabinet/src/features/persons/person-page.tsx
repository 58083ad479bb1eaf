import { CONTACT_VARIABLES } from '@heliograph/domain';
import type { Contact } from '@heliograph/contract';
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useCan, useMayOpen, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Facts } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { ContactListBadge } from '../contact-lists/contact-list-badge.tsx';
import { contactListQuery } from '../contact-lists/contact-lists.api.ts';
import { useFieldName } from '../../ui/use-field-name.ts';
import { History } from './history.tsx';
import { contactsOf, optOutsOf, outcomesOf, type Person } from './person.api.ts';
import classes from './person.module.css';

/** `/contacts/person/+79001234567`: what an account knows of a person, and what was written in both directions. */
export function PersonPage() {
  const { t } = useTranslation();
  const can = useCan();
  const mayOpen = useMayOpen();
  const { session } = useSettings();
  const { address: given = '' } = useParams();
  const [owner] = useParam('owner');
  const address = given.includes('@') ? given.toLowerCase() : given;
  const person = { address, OwnerId: owner ?? session.OwnerId };
  const isOwn = person.OwnerId === session.OwnerId;
  const contacts = useQuery(contactsOf(person));
  const known = contacts.data?.data ?? [];
  const name = known.map(nameOf).find(Boolean);
  return (
    <>
      <PageHeader title={t('persons:title')}>
        {mayOpen('/messages/conversations') && (
          <Button
            component={Link}
            variant="default"
            to={`/messages/conversations?$search=${encodeURIComponent(address)}`}
          >
            {t('persons:conversation')}
          </Button>
        )}
        {mayOpen('/send') && isOwn && (
          <Button component={Link} to={`/send?recipient=${encodeURIComponent(address)}`}>
            {t('persons:write')}
          </Button>
        )}
      </PageHeader>
      <Stack gap="md">
        <div>
          <Text size="xl" fw={600} className="numeric">
            <Blurred what={t('contactLists:contact.title')}>{name ?? address}</Blurred>
          </Text>
          {can('sendings.get') && <Reached person={person} />}
        </div>
        <div className={classes.columns}>
          <Section title={t('persons:about')} height={400}>
            {contacts.error && !contacts.data ? (
              <ErrorCard
                title={t('persons:failed')}
                error={contacts.error}
                onRetry={() => void contacts.refetch()}
              />
            ) : contacts.data ? (
              <About {...person} contacts={known} />
            ) : (
              <DetailsSkeleton />
            )}
          </Section>
          <Section title={t('persons:lists')} height={400}>
            {contacts.data && known.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('persons:noLists')}
              </Text>
            )}
            <ul className={classes.plain}>
              {known.map((contact) => (
                <InList key={contact.id} contact={contact} address={address} />
              ))}
            </ul>
            {contacts.data && can('suppressions.get') && <OptOuts person={person} />}
          </Section>
        </div>
        {can('sendings.get') && (
          <Section title={t('persons:history')} height={600}>
            <History person={person} />
          </Section>
        )}
      </Stack>
    </>
  );
}

const nameOf = ({ firstName, middleName, lastName }: Contact): string =>
  [firstName, middleName, lastName].filter(Boolean).join(' ');

/** With room for what is usually there, so that nothing moves when it is loaded. */
function Section({
  title,
  height,
  children,
}: {
  title: string;
  height: number;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" miw={0} mih={height} aria-labelledby={id}>
      <Title order={2} size="h5" id={id} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

/** How many of the messages to the person arrived. */
function Reached({ person }: { person: Person }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const delivered = useQuery(outcomesOf(person, 'delivered')).data?.total;
  const failed = useQuery(outcomesOf(person, 'failed')).data?.total;
  if (delivered === undefined || failed === undefined) return <Text c="dimmed">&nbsp;</Text>;
  const total = delivered + failed;
  return (
    <Text c="dimmed" className="numeric">
      {total
        ? t('persons:reached', {
            delivered: formats.number(delivered),
            count: total,
            total: formats.number(total),
          })
        : t('persons:nothingSent')}
    </Text>
  );
}

interface AboutProps {
  address: string;
  OwnerId: string;
  contacts: Contact[];
}

/** The fields of all entries; of several values the newest one. */
function About({ address, OwnerId, contacts }: AboutProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOfField = useFieldName(OwnerId);
  const fields = CONTACT_VARIABLES.map((field) => {
    const value = contacts.map((contact) => contact[field]).find(Boolean);
    const shown =
      value && field === 'gender'
        ? t(`contactLists:gender.${value}`)
        : value && field === 'date'
          ? formats.day(value)
          : value;
    return {
      label: nameOfField(field),
      value: shown && <Blurred what={nameOfField(field)}>{shown}</Blurred>,
    };
  });
  if (contacts.length) return <Facts facts={fields} />;
  return (
    <Facts
      facts={[
        {
          label: nameOfField(address.includes('@') ? 'email' : 'phone'),
          value: <Blurred what={nameOfField('phone')}>{address}</Blurred>,
        },
      ]}
    />
  );
}

function InList({ contact, address }: { contact: Contact; address: string }) {
  const { data } = useQuery(contactListQuery(contact.ListId));
  return (
    <li>
      <Group gap="xs">
        <Anchor
          component={Link}
          size="sm"
          to={`/contacts/${contact.ListId}?$search=${encodeURIComponent(address)}`}
        >
          {data?.title ?? '…'}
        </Anchor>
        {data && <ContactListBadge type={data.type} />}
      </Group>
    </li>
  );
}

/** What the person gets no more, and since when; or that nothing was asked for. */
function OptOuts({ person }: { person: Person }) {
  const { t } = useTranslation();
  const { data } = useQuery(optOutsOf(person));
  if (!data) return null;
  const own = data.data.filter(({ address }) => address === person.address);
  return (
    <>
      <Title order={3} size="h6" mt="md" mb="xs">
        {t('persons:consent')}
      </Title>
      {own.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('persons:noOptOut')}
        </Text>
      ) : (
        <ul className={classes.plain}>
          {own.map(({ id, type, reason, note, createdAt }) => (
            <li key={id}>
              <Text size="sm">
                {type ? t(`common:type.${type}`) : t('persons:allTypes')}:{' '}
                {t(`suppressions:reason.${reason}`)}, <Time at={createdAt} />
              </Text>
              {note && (
                <Text size="xs" c="dimmed">
                  <Blurred what={t('suppressions:note')}>{note}</Blurred>
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
