import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
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
  const { data: me } = useQuery(meQuery);
  const name = me?.data.firstName || (me?.username ?? '');
  return (
    <>
      <PageHeader title={t(`home:greeting.${partOfDay(new Date().getHours())}`, { name })}>
        <Clock />
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
