import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { useCan, useMayOpen } from '../../core/settings.ts';
import { useTimeZone } from '../../core/time-zone.ts';
import { wallClock } from '../../core/zoned-time.ts';
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

export function HomePage() {
  const { t } = useTranslation();
  const can = useCan();
  const mayOpen = useMayOpen();
  const { data: me } = useQuery(meQuery);
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
      <Tiles />
      <FirstSteps />
      <div className={classes.columns}>
        <NeedsYou />
        <RunningTasks />
      </div>
      <QuickCards />
      <div className={classes.columns}>
        <LastSendings />
        <LastBillings />
      </div>
    </>
  );
}
