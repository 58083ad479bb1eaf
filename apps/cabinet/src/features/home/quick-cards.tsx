import type { Permission } from '@heliograph/contract';
import { SimpleGrid, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import {
  IconContacts,
  IconDocumentation,
  IconInfo,
  IconSendername,
  IconTariff,
  IconTasks,
} from '../../ui/icons.ts';
import classes from './home.module.css';

interface Quick {
  id: string;
  to: string;
  icon: Icon;
  can?: Permission;
}

/** Links to the most used pages. */
const QUICK: Quick[] = [
  { id: 'sendernames', to: '/settings/sendernames', icon: IconSendername, can: 'sendernames.get' },
  { id: 'contacts', to: '/contacts', icon: IconContacts, can: 'contactLists.get' },
  { id: 'tasks', to: '/messages/tasks', icon: IconTasks, can: 'tasks.get' },
  { id: 'tariffs', to: '/tariffs', icon: IconTariff, can: 'tariffs.get' },
  { id: 'documentation', to: '/documentation', icon: IconDocumentation },
  { id: 'about', to: '/about', icon: IconInfo },
];

export function QuickCards() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <SimpleGrid
      component="nav"
      aria-label={t('home:quick.label')}
      cols={{ base: 2, sm: 3, xl: 6 }}
      spacing="sm"
      my="md"
    >
      {QUICK.filter((card) => !card.can || can(card.can)).map(({ id, to, icon: QuickIcon }) => (
        <Link key={id} to={to} className={classes.quick}>
          <QuickIcon size={24} stroke={1.6} aria-hidden />
          <div>
            <Text size="sm" fw={600}>
              {t(`home:quick.${id}.title`)}
            </Text>
            <Text size="xs" c="dimmed" visibleFrom="xs">
              {t(`home:quick.${id}.text`)}
            </Text>
          </div>
        </Link>
      ))}
    </SimpleGrid>
  );
}
