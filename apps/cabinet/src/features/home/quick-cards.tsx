import { SimpleGrid, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Permission } from '@heliograph/contract';
import type { PagePath } from '../../core/access.ts';
import { useCan, useMayOpen, useSettings } from '../../core/settings.ts';
import {
  IconAnalytics,
  IconContacts,
  IconDocumentation,
  IconExternal,
  IconIntegration,
  IconSendername,
  IconTariff,
  IconTasks,
  IconWallet,
} from '../../ui/icons.ts';
import classes from './home.module.css';

interface Quick {
  id: string;
  to: PagePath;
  /** What the page opens. */
  search?: string;
  /** Beside that of the page. */
  permission?: Permission;
  icon: Icon;
}

/** Links to the most used pages. */
const QUICK: Quick[] = [
  {
    id: 'topUp',
    to: '/balance/payments',
    search: '?topUp=true',
    permission: 'payments.create',
    icon: IconWallet,
  },
  { id: 'sendernames', to: '/settings/sendernames', icon: IconSendername },
  { id: 'contacts', to: '/contacts', icon: IconContacts },
  { id: 'tasks', to: '/messages/tasks', icon: IconTasks },
  { id: 'tariffs', to: '/tariffs', icon: IconTariff },
  { id: 'statistics', to: '/analytics', icon: IconAnalytics },
  { id: 'integrations', to: '/settings/integrations', icon: IconIntegration },
  { id: 'documentation', to: '/documentation', icon: IconDocumentation },
];

export function QuickCards() {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const can = useCan();
  const shown = QUICK.filter(
    ({ to, permission }) => mayOpen(to) && (!permission || can(permission)),
  );
  const { blog } = useSettings().features;
  return (
    <SimpleGrid
      component="nav"
      aria-label={t('home:quick.label')}
      cols={{ base: 2, sm: 3, md: 4 }}
      spacing="sm"
      my="md"
    >
      {shown.map(({ id, to, search = '', icon }) => (
        <Link key={id} to={to + search} className={classes.quick}>
          <Words id={id} icon={icon} />
        </Link>
      ))}
      {blog && (
        <a href={blog} target="_blank" rel="noopener noreferrer" className={classes.quick}>
          <Words id="blog" icon={IconExternal} />
        </a>
      )}
    </SimpleGrid>
  );
}

function Words({ id, icon: QuickIcon }: Pick<Quick, 'id' | 'icon'>) {
  const { t } = useTranslation();
  return (
    <>
      <QuickIcon size={24} stroke={1.6} aria-hidden />
      <div>
        <Text size="sm" fw={600}>
          {t(`home:quick.${id}.title`)}
        </Text>
        <Text size="xs" c="dimmed" visibleFrom="xs">
          {t(`home:quick.${id}.text`)}
        </Text>
      </div>
    </>
  );
}
