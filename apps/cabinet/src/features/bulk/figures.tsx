import type { TaskOutcome } from '@heliograph/contract';
import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { Bars } from '../../ui/bars.tsx';
import classes from './bulk.module.css';

const COLUMNS = [
  'count',
  'submitted',
  'delivered',
  'seen',
  'replied',
  'failed',
  'cancelled',
  'pending',
] as const;
/** Shown only where there are any. */
const RARE: ReadonlySet<string> = new Set(['seen', 'replied', 'cancelled', 'pending']);

/** What became of the messages, a row for each attempt. */
export function AttemptsTable({ attempts }: Pick<TaskOutcome, 'attempts'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const columns = COLUMNS.filter(
    (name) => !RARE.has(name) || attempts.some((attempt) => attempt[name] > 0),
  );
  return (
    <div className={classes.scroll} role="region" aria-label={t('bulk:attempts')} tabIndex={0}>
      <Table className="numeric" aria-label={t('bulk:attempts')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('bulk:attempt')}</Table.Th>
            {columns.map((name) => (
              <Table.Th key={name} ta="end">
                {t(`bulk:figure.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map((figures) => (
            <Table.Tr key={`${figures.attempt} ${figures.type}`}>
              <Table.Th scope="row" fw={500}>
                {t('bulk:attemptOf', {
                  number: figures.attempt + 1,
                  type: t(`common:type.${figures.type}`),
                })}
              </Table.Th>
              {columns.map((name) => (
                <Table.Td key={name} ta="end">
                  {formats.number(figures[name])}
                  {name !== 'count' && figures[name] > 0 && (
                    <Text size="xs" c="dimmed">
                      {formats.percent(figures[name] / figures.count)}
                    </Text>
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const MAX_OPERATORS = 8;

/** The share of reached recipients by operator, without those to whom nothing was sent; those with most recipients first. */
export function OperatorsTable({ operators }: Pick<TaskOutcome, 'operators'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const more = operators.length - MAX_OPERATORS;
  return (
    <>
      <Table className="numeric" aria-label={t('bulk:operators.title')} horizontalSpacing={5}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('bulk:operators.operator')}</Table.Th>
            <Table.Th ta="end">{t('bulk:figure.count')}</Table.Th>
            <Table.Th ta="end">{t('bulk:operators.reached')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {operators
            .slice(0, MAX_OPERATORS)
            .map(({ mccmnc, name, country, count, delivered, failed, cancelled }) => (
              <Table.Tr key={mccmnc ?? ''}>
                <Table.Th scope="row" fw={400}>
                  {name ?? t('bulk:operators.unknown')}
                  {country && (
                    <Text size="xs" c="dimmed">
                      {formats.region(country)}
                    </Text>
                  )}
                </Table.Th>
                <Table.Td ta="end">{formats.number(count - cancelled)}</Table.Td>
                <Table.Td ta="end">
                  {delivered + failed > 0 ? formats.percent(delivered / (delivered + failed)) : '–'}
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {more > 0 && (
        <Text size="xs" c="dimmed" mt="xs" className="numeric">
          {t('bulk:operators.more', { count: more, number: formats.number(more) })}
        </Text>
      )}
    </>
  );
}

const KINDS = ['submitted', 'delivered', 'failed'] as const;

/** Messages over time as groups of bars, and as a table for assistive programs. */
export function Timeline({ timeline: { steps } }: Pick<TaskOutcome, 'timeline'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <Bars
        kinds={KINDS}
        nameOf={(kind) => t(`bulk:figure.${kind}`)}
        steps={steps.map((step) => ({
          key: step.at,
          label: formats.dateTimeShort(step.at),
          mark: formats.time(step.at),
          counts: step,
        }))}
      />
      {/* A table is as wide as its cells, whatever its width says. */}
      <div className="visually-hidden">
        <table>
          <caption>{t('bulk:timeline.title')}</caption>
          <thead>
            <tr>
              <th>{t('bulk:timeline.time')}</th>
              {KINDS.map((kind) => (
                <th key={kind}>{t(`bulk:figure.${kind}`)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <tr key={step.at}>
                <th scope="row">{formats.dateTime(step.at)}</th>
                {KINDS.map((kind) => (
                  <td key={kind}>{formats.number(step[kind])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
