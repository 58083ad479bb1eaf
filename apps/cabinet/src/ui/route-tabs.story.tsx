import { RouteTabs } from './route-tabs.tsx';

const TABS = ['Icons', 'Profile', 'API tokens', 'Password and sign-in', 'Visits', 'Activity'];

export const story = {
  title: 'Route tabs',
  Story: () => (
    <RouteTabs
      label="Example"
      tabs={TABS.map((label, i) => ({ to: i ? `/debug/${i}` : '/debug', label }))}
    />
  ),
};
