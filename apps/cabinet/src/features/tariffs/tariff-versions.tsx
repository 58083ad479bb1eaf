import type { TariffVersion } from '@heliograph/contract';
import { Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../core/toast.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { versionsQuery, useWithdrawVersion } from './catalogue.api.ts';
import { ruleSentence } from './rule-sentence.ts';
import { changesBetween } from './rule-changes.ts';
import { StepList } from './step-list.tsx';
import { useRuleWords } from './use-rule-words.ts';

interface TariffVersionsProps {
  id: string;
  source: string;
  /** Puts the rules and steps of a version into the form. */
  onTake: (version: TariffVersion) => void;
}

/** Who changed which rules, when they start or started, and what is planned. */
export function TariffVersions({ id, source, onTake }: TariffVersionsProps) {
  const { t } = useTranslation();
  const { data } = useQuery(versionsQuery(id));
  const { mutate, isPending } = useWithdrawVersion(id);
  const [withdrawn, setWithdrawn] = useState<number | null>(null);
  const versions = data?.data ?? [];
  return (
    <section aria-labelledby="tariff-versions">
      <Title order={2} size="h5" mb="sm" id="tariff-versions">
        {t('tariffCatalogue:versions.title')}
      </Title>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {versions.map((version, at) => (
          <Version
            key={version.number}
            version={version}
            former={versions[at + 1]}
            source={source}
            onTake={() => onTake(version)}
            onWithdraw={() => setWithdrawn(version.number)}
          />
        ))}
      </Stack>
      <ConfirmDialog
        opened={withdrawn !== null}
        title={t('tariffCatalogue:versions.withdrawQuestion', { number: withdrawn })}
        action={t('tariffCatalogue:versions.withdraw')}
        busy={isPending}
        onClose={() => setWithdrawn(null)}
        onConfirm={() =>
          mutate(withdrawn!, {
            onSuccess: () => {
              showSuccess(t('tariffCatalogue:versions.withdrawn'));
              setWithdrawn(null);
            },
          })
        }
      >
        {t('tariffCatalogue:versions.withdrawText')}
      </ConfirmDialog>
    </section>
  );
}

interface VersionProps {
  version: TariffVersion;
  /** The one before it. */
  former: TariffVersion | undefined;
  source: string;
  onTake: () => void;
  onWithdraw: () => void;
}

/** Of many changed rules, the first ones are named. */
const MAX_CHANGES = 6;

function Version({ version, former, source, onTake, onWithdraw }: VersionProps) {
  const { t } = useTranslation();
  const { number, startsAt, isInForce, Author, rules, volumeSteps } = version;
  const changes = former ? changesBetween(former.rules, rules) : [];
  const words = useRuleWords(changes.map(({ rule }) => rule));
  const { formats } = words;
  const isPlanned = Date.parse(startsAt) > Date.now();
  const title = t('tariffCatalogue:versionNumber', { number: formats.number(number) });
  return (
    <Paper component="li" withBorder p="sm">
      <Group gap="xs">
        <Text fw={600} size="sm">
          {title}
        </Text>
        {(isInForce || isPlanned) && (
          <Badge
            variant="light"
            radius="sm"
            tt="none"
            fw={500}
            color={isInForce ? 'green' : 'blue'}
          >
            {t(`tariffCatalogue:versions.${isInForce ? 'inForce' : 'planned'}`)}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt={2}>
        {t('tariffCatalogue:versions.from', { time: formats.dateTime(startsAt) })}
        {Author && ` · ${Author.username}`}
      </Text>
      {changes.length > 0 && (
        <List
          size="sm"
          mt="xs"
          listStyleType="none"
          aria-label={t('tariffCatalogue:versions.changes')}
        >
          {changes.slice(0, MAX_CHANGES).map(({ kind, rule }, at) => (
            <List.Item key={at}>
              <Text span size="sm" fw={600}>
                {t(`tariffCatalogue:versions.${kind}`)}
              </Text>{' '}
              {ruleSentence(rule, source, words)}
            </List.Item>
          ))}
          {changes.length > MAX_CHANGES && (
            <List.Item>
              {t('tariffCatalogue:versions.more', { count: changes.length - MAX_CHANGES })}
            </List.Item>
          )}
        </List>
      )}
      <StepList steps={volumeSteps} />
      {!isInForce && (
        <Group gap="xs" mt="xs">
          <Button
            variant="default"
            size="xs"
            aria-label={t('tariffCatalogue:versions.takeOf', { title })}
            onClick={onTake}
          >
            {t('tariffCatalogue:versions.take')}
          </Button>
          {isPlanned && (
            <Button variant="default" size="xs" onClick={onWithdraw}>
              {t('tariffCatalogue:versions.withdraw')}
            </Button>
          )}
        </Group>
      )}
    </Paper>
  );
}
