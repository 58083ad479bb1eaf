import {
  type ReportWhere,
  isDetailed,
  REPORT_PRESET_NAMES,
  REPORT_PRESETS,
  reports,
  type ReportPreset,
} from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { Button, Group, Stack, Text, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { PERIODS } from '../../core/period.ts';
import { useCan } from '../../core/settings.ts';
import { MAX_LOCAL, useTimeZone } from '../../core/time-zone.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { downloadFile } from '../../ui/download-file.ts';
import { FileFields } from './file-fields.tsx';
import { ReportBadge } from './report-badge.tsx';
import { reportChoices } from './report-choices.ts';
import { ReportProgress } from './report-progress.tsx';
import { OWN, rangeProblem, reportRange, valuesOf } from './report-range.ts';
import {
  isUnfinished,
  reportQuery,
  useCancelReport,
  useCreateReport,
  type ReportBody,
} from './reports.api.ts';

interface ReportDialogProps {
  opened: boolean;
  onClose: () => void;
  source?: 'sendings' | 'billings';
  /** The filter of the list that the report is requested from. */
  where?: ReportWhere;
  /** Its period: of `PERIODS`, or `from..to`. */
  period?: string;
  /** Where it has none: when that began which it shows. */
  since?: string;
}

/** Requests a report, then shows its progress until the file can be downloaded. */
export function ReportDialog({ opened, onClose, ...given }: ReportDialogProps) {
  const { t } = useTranslation();
  const [id, setId] = useState<string | null>(null);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setId(null)}
      size={600}
      title={t('reports:create')}
    >
      {id ? (
        <ReportWaiting id={id} onClose={onClose} />
      ) : (
        <ReportForm {...given} onCreated={setId} onCancel={onClose} />
      )}
    </Dialog>
  );
}

/** A requested report. A detailed one is downloaded as soon as it is ready. */
function ReportWaiting({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data: report } = useQuery(reportQuery(id));
  const { mutate: download, isPending } = useMutationOnce({ mutationFn: downloadFile });
  const cancel = useCancelReport();
  const isDownloaded = useRef(false);
  const isReady = report?.state === 'completed' && report.hasFile;
  const startsItself = !!report && isDetailed(report.preset);
  useEffect(() => {
    if (!isReady || !startsItself || isDownloaded.current) return;
    isDownloaded.current = true;
    download(id);
  }, [isReady, startsItself, id, download]);
  if (!report) return <Text c="dimmed">{t('reports:working')}</Text>;
  return (
    <Stack aria-live="polite">
      <Group justify="space-between">
        <Text fw={500}>{t(`reports:presets.${report.preset}`)}</Text>
        <ReportBadge state={report.state} />
      </Group>
      <ReportProgress report={report} />
      {isUnfinished(report) && <Text size="sm">{t('reports:mayClose')}</Text>}
      <Group justify="flex-end">
        {isUnfinished(report) && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(id)}>
            {t('reports:cancelAction')}
          </Button>
        )}
        {isReady && (
          <Button loading={isPending} onClick={() => download(id)}>
            {t('reports:downloadAction')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('reports:close')}
        </Button>
      </Group>
    </Stack>
  );
}

interface ReportFormProps {
  source?: (typeof SOURCES)[number];
  where?: ReportWhere;
  period?: string;
  since?: string;
  onCreated: (id: string) => void;
  onCancel: () => void;
}

const QUICK = ['5m', '1h', 'today'] as const;
const SOURCES = ['sendings', 'billings'] as const;
const TIME = { type: 'datetime-local', max: MAX_LOCAL } as const;

function ReportForm({
  source = 'sendings',
  where,
  period = '',
  since,
  onCreated,
  onCancel,
}: ReportFormProps) {
  const { t, i18n } = useTranslation();
  const can = useCan();
  const create = useCreateReport();
  const timeZone = useTimeZone();
  const form = useContractForm({
    initial: {
      preset: '' as ReportPreset | '',
      ...reportChoices.get(i18n.language),
      ...valuesOf(period, Date.now(), since),
    },
    schema: reports.create.body,
    names: { 'where.createdAt': 'period' },
    toBody: ({ preset, format, encoding, delimiter, ...range }): ReportBody => ({
      preset: preset as ReportPreset,
      format,
      encoding,
      delimiter,
      locale: i18n.language as Locale,
      timeZone,
      where: { ...where, createdAt: reportRange(range, Date.now()) ?? {} },
    }),
    check(values) {
      const problem = rangeProblem(values, Date.now());
      return {
        preset: !values.preset && 'required',
        [values.period === OWN ? 'from' : 'period']:
          problem && (problem === 'required' ? 'required' : t(`reports:range_${problem}`)),
      };
    },
    submit: create.mutateAsync,
    onDone({ key }, { format, encoding, delimiter }) {
      reportChoices.set(i18n.language, { format, encoding, delimiter });
      onCreated(key);
    },
  });
  const { period: chosen } = form.values;
  const presets = (of: (typeof SOURCES)[number]) => ({
    group: t(`reports:source.${of}`),
    items: REPORT_PRESET_NAMES.filter((name) => {
      const preset = REPORT_PRESETS[name];
      return preset.source === of && can(preset.can, preset.accept);
    }).map((value) => ({ value, label: t(`reports:presets.${value}`) })),
  });
  // A filter of messages has no meaning for the ledger.
  const groups = where ? [presets(source)] : SOURCES.map(presets);
  return (
    <ContractForm form={form} submit={t('reports:submit')} onCancel={onCancel}>
      {where && Object.keys(where).length > 0 && <Text size="sm">{t('reports:filtered')}</Text>}
      <NativeSelect
        {...form.field('preset')}
        label={t('reports:preset')}
        required
        data={[{ value: '', label: t('reports:choose') }, ...groups.filter((g) => g.items.length)]}
      />
      <NativeSelect
        {...form.field('period')}
        label={t('reports:range')}
        data={[
          ...PERIODS.map((value) => ({ value, label: t(`list:period.${value}`) })),
          { value: OWN, label: t('reports:own') },
        ]}
      />
      <Group gap="xs">
        {QUICK.map((value) => (
          <Button
            key={value}
            size="xs"
            variant={chosen === value ? 'light' : 'default'}
            aria-pressed={chosen === value}
            onClick={() => form.set({ period: value })}
          >
            {t(`list:period.${value}`)}
          </Button>
        ))}
      </Group>
      {chosen === OWN && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput {...form.field('from')} {...TIME} label={t('list:period.from')} />
          <TextInput {...form.field('to')} {...TIME} label={t('list:period.to')} />
        </SimpleGrid>
      )}
      <FileFields form={form} />
    </ContractForm>
  );
}
