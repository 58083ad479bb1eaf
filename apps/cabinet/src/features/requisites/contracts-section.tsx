import { contracts, type Contract } from '@heliograph/contract';
import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { useRemoval, type Removal } from '../../list/use-removal.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { FileLink } from '../../ui/file-link.tsx';

/** The contracts of requisites, each with its document. Nothing if there are none. */
export function ContractsSection({ RequisiteId }: { RequisiteId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const { data, error, refetch } = useQuery({
    ...contractsQuery(RequisiteId),
    enabled: can('contracts.get'),
  });
  const [remove, dialog] = useRemoval(REMOVAL);
  if (error)
    return (
      <ErrorCard
        title={t('requisites:contracts.failed')}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data?.data.length) return dialog;
  return (
    <Paper component="section" aria-labelledby="contracts" withBorder p="md" mt="lg">
      <Stack gap="sm">
        <Title order={2} size="h4" id="contracts">
          {t('requisites:contracts.title')}
        </Title>
        {data.data.map((contract) => (
          <Group key={contract.id} justify="space-between" wrap="nowrap" gap="sm">
            <div style={{ minWidth: 0 }}>
              <FileLink
                fileId={contract.FileId}
                size="sm"
                ta="start"
                aria-label={t('requisites:contracts.download', { title: contract.title })}
              >
                {contract.title}
              </FileLink>
              <Group gap="xs">
                <Text size="xs" c="dimmed">
                  {t('requisites:contracts.created', {
                    date: formats.dateTime(contract.updatedAt),
                  })}
                </Text>
                {contract.tags.map((tag) => (
                  <Badge key={tag} variant="light" color="gray" size="sm">
                    {tag}
                  </Badge>
                ))}
              </Group>
            </div>
            {remove?.(contract)}
          </Group>
        ))}
      </Stack>
      {dialog}
    </Paper>
  );
}

/** Those of one requisite, with each company that serves the account. */
const contractsQuery = (RequisiteId: string) =>
  queryOptions({
    queryKey: keysOf('contracts').of('requisite', RequisiteId),
    queryFn: ({ signal }) =>
      api(contracts.find, { query: { filter: { RequisiteId }, limit: 100 }, signal }),
  });

const useRemoveContract = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(contracts.remove, { params: { id } }),
    meta: { invalidates: ['contracts', 'storage'] },
  });

const REMOVAL: Removal<Contract> = {
  can: ['contracts.remove'],
  useChange: useRemoveContract,
  words: (t, { title }) => ({
    question: t('requisites:contracts.removeQuestion', { title }),
    action: t('requisites:contracts.remove', { title }),
    text: t('requisites:contracts.removeText'),
  }),
};
