import type { Level } from '@heliograph/contract';
import { Button, Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { useCan, useMayOpen, useSettings } from '../../core/settings.ts';
import { useTimeZone } from '../../core/time-zone.ts';
import { wallClock } from '../../core/zoned-time.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Clock } from './clock.tsx';
import { FirstSteps } from './first-steps.tsx';
import { partOfDay } from './greeting.ts';
import classes from './home.module.css';
import { LastBillings, LastSendings } from './last-rows.tsx';
import { NeedsYou } from './needs-you.tsx';
import { QuickCards } from './quick-cards.tsx';
import { RunningTasks } from './running-tasks.tsx';
import { Tiles } from './tiles.tsx';

// Of what they show when all is loaded, so that nothing moves.
const SECTION_HEIGHT_PX = 340;
const CUSTOMERS_HEIGHT_PX = 420;
const room = ({ height }: { height: number }) => <Paper withBorder mih={height} />;
const Course = later(async () => (await import('./course.tsx')).Course, room);
const LastBulks = later(async () => (await import('./last-bulks.tsx')).LastBulks, room);
const GettingStarted = later(async () => (await import('./getting-started.tsx')).GettingStarted);
const Customers = later(async () => (await import('./customers.tsx')).Customers, room);
const ChannelsNow = later(async () => (await import('./channels-now.tsx')).ChannelsNow, room);

/** How it goes, for whom one is: a customer's bulks, a reseller's customers, an administrator's channels. */
function Sections({ level }: { level: Level }) {
  const can = useCan();
  const height = SECTION_HEIGHT_PX;
  return (
    <>
      {can('sendings.get') && <Course height={height} />}
      {level === 'me' && can('tasks.get') && <LastBulks height={height} />}
      {can('channels.get', 'managerUp') && <ChannelsNow height={height} />}
      {level !== 'me' && can('users.get', 'resellerUp') && can('sendings.get') && (
        <Customers height={CUSTOMERS_HEIGHT_PX} />
      )}
    </>
  );
}

export function HomePage() {
  const { t } = useTranslation();
  const can = useCan();
  const mayOpen = useMayOpen();
  const { data: me } = useQuery(meQuery);
  const { level } = useSettings().session;
  const name = me?.data.firstName || (me?.username ?? '');
  return (
    <>
      <PageHeader
        title={t(
          `home:greeting.${partOfDay(new Date(wallClock(Date.now(), useTimeZone())).getUTCHours())}`,
          { name },
        )}
      >
        <Clock />
        {mayOpen('/balance/payments') && can('payments.create') && (
          <Button component={Link} to="/balance/payments?topUp=true" variant="default">
            {t('shell:balance.topUp')}
          </Button>
        )}
        {mayOpen('/send') && (
          <Button component={Link} to="/send">
            {t('home:send')}
          </Button>
        )}
      </PageHeader>
      {level === 'me' && <Tiles />}
      <FirstSteps />
      {level === 'manager' && <GettingStarted />}
      <div className={classes.columns}>
        <NeedsYou />
        <RunningTasks />
        <Sections level={level} />
      </div>
      <QuickCards />
      <div className={classes.columns}>
        <LastSendings />
        <LastBillings />
      </div>
    </>
  );
}
