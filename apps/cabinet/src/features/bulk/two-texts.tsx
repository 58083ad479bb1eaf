import type { Bulk, TaskOutcome } from '@heliograph/contract';
import { VARIANTS, variantShare } from '@heliograph/domain';
import { Anchor, Badge, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../core/use-formats.ts';
import { taskQuery } from '../tasks/tasks.api.ts';
import classes from './bulk.module.css';

type Variants = NonNullable<Bulk['data']['sending']['variants']>;

interface TwoTextsProps {
  task: Bulk;
  variants: Variants;
  figures: NonNullable<TaskOutcome['variants']>;
}

/** The two texts of a bulk with their figures, and which of them the rest gets. */
export function TwoTexts({ task, variants, figures }: TwoTextsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { part, texts, by, tasks } = variants;
  const { data: rest = null } = useQuery({ ...taskQuery(tasks.rest), enabled: part !== 'rest' });
  const waiting = part === 'rest' ? task : rest;
  const chosen = waiting?.data.sending?.variants?.chosen ?? null;
  const shown = (['recipients', 'delivered', 'replied', 'clicks'] as const).filter(
    (name) => name !== 'clicks' || figures.A.clicks !== null || figures.B.clicks !== null,
  );
  const link = (to: keyof typeof tasks, text: string) =>
    to === part ? (
      <Text span inherit aria-current="page">
        {text}
      </Text>
    ) : (
      <Anchor component={Link} to={`/messages/tasks/${tasks[to]}`} inherit>
        {text}
      </Anchor>
    );
  return (
    <Stack gap="sm">
      <div className={classes.scroll} role="region" aria-label={t('bulk:texts.title')} tabIndex={0}>
        <Table className="numeric" aria-label={t('bulk:texts.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('bulk:texts.text')}</Table.Th>
              {shown.map((name) => (
                <Table.Th key={name} ta="end">
                  {t(`bulk:texts.figure.${name}`)}
                </Table.Th>
              ))}
              <Table.Th ta="end">{t(`bulk:texts.share.${by}`)}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {VARIANTS.map((variant) => {
              const [reached, of] = variantShare(by, figures[variant]);
              return (
                <Table.Tr key={variant}>
                  <Table.Th scope="row" fw={400}>
                    {link(variant, variant)}
                    {chosen?.variant === variant && (
                      <Badge ms="xs" variant="light">
                        {t('bulk:texts.taken')}
                      </Badge>
                    )}
                    {texts && (
                      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                        {texts[variant]}
                      </Text>
                    )}
                  </Table.Th>
                  {shown.map((name) => (
                    <Table.Td key={name} ta="end">
                      {formats.number(figures[variant][name] ?? 0)}
                    </Table.Td>
                  ))}
                  <Table.Td ta="end">{of > 0 && formats.percent(reached / of)}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </div>
      <Text size="sm">
        {link('rest', t('bulk:texts.rest'))}
        {waiting && ' · '}
        {chosen
          ? t(`bulk:texts.chosen.${chosen.reason}`, {
              text: chosen.variant,
              time: formats.dateTime(chosen.at),
            })
          : waiting?.state === 'stopped'
            ? t('bulk:texts.stopped')
            : waiting?.startsAt &&
              t(`bulk:texts.willChoose.${by}`, { time: formats.dateTime(waiting.startsAt) })}
      </Text>
    </Stack>
  );
}
