import { List, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keysOf } from '../core/query-keys.ts';
import { ErrorCard } from '../ui/error-card.tsx';

interface Package {
  name: string;
  version: string;
  license: string | null;
  browser: boolean;
  server: boolean;
}

const PARTS = ['browser', 'server'] as const;

/** The packages of this version, from the file that the build wrote. */
export function Licenses() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: keysOf('version').of('licenses'),
    queryFn: async ({ signal }) => {
      const answer = await fetch('/licenses.json', { signal });
      if (!answer.ok) throw new Error(`/licenses.json: ${answer.status}`);
      return (await answer.json()) as Package[];
    },
  });
  if (error)
    return (
      <ErrorCard title={t('shell:licenses.failed')} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <Skeleton height={140} />;
  return PARTS.map((part) => <Packages key={part} part={part} all={data} />);
}

function Packages({ part, all }: { part: (typeof PARTS)[number]; all: Package[] }) {
  const { t } = useTranslation();
  const packages = all.filter((one) => one[part]);
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t(`shell:licenses.${part}`, { count: packages.length })}
      </Title>
      <List size="sm" listStyleType="none" lang="en">
        {packages.map(({ name, version, license }) => (
          <List.Item key={`${name} ${version}`}>
            {name} {version}{' '}
            <Text span c="dimmed" inherit>
              {license ?? t('shell:licenses.none')}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
