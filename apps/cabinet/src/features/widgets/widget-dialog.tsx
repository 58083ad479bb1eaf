import type { OtpWidget } from '@heliograph/contract';
import { Alert, Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { WidgetChannels } from './widget-channels.tsx';
import { WidgetCode } from './widget-code.tsx';
import { WidgetForm } from './widget-form.tsx';
import { WidgetStatistics } from './widget-statistics.tsx';
import { useCreateWidget, useUpdateWidget, widgetQuery } from './widgets.api.ts';

/** Specification, section 9. */
const WIDTH = 1000;

/** A new widget, `?create=true`; then its channels are chosen. */
export function CreateWidgetDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const navigate = useNavigate();
  const create = useCreateWidget();
  const close = () => setCreating(null, { replace: true });
  const done = ({ id, name }: OtpWidget) => {
    showSuccess(t('widgets:createdDone', { name }));
    // Both parameters at once: of two changes in a row the second would bring the first one's back.
    void navigate({ search: `?id=${id}` }, { replace: true });
  };
  return (
    <Dialog
      opened={creating !== null && can('widgets.create')}
      onClose={close}
      size={WIDTH}
      title={t('widgets:createTitle')}
    >
      <WidgetForm row={null} submit={create.mutateAsync} onDone={done} onClose={close} />
    </Dialog>
  );
}

const TABS = ['settings', 'channels', 'code', 'statistics'] as const;
type Tab = (typeof TABS)[number];

/** A widget to read and change, `?id=`. One without channels starts with them. */
export function EditWidgetDialog() {
  const { t } = useTranslation();
  const detail = useDetail(widgetQuery);
  return (
    <Dialog {...detail.frame} size={WIDTH} title={detail.data?.name ?? t('widgets:detail')}>
      <DetailBody detail={detail} failed={t('widgets:detailFailed')}>
        {(row) => (
          <Tabs
            key={row.id}
            defaultValue={row.otpWidgetChannelSettings.length ? 'settings' : 'channels'}
          >
            <Tabs.List mb="md">
              {TABS.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {t(`widgets:tabs.${one}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {TABS.map((one) => (
              <Tabs.Panel key={one} value={one}>
                <Panel tab={one} row={row} onClose={detail.frame.onClose} />
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </DetailBody>
    </Dialog>
  );
}

function Panel({ tab, row, onClose }: { tab: Tab; row: OtpWidget; onClose: () => void }) {
  const readOnly = !useCan()('widgets.update');
  if (tab === 'settings') return <EditForm row={row} readOnly={readOnly} onClose={onClose} />;
  if (tab === 'channels') return <WidgetChannels row={row} readOnly={readOnly} />;
  if (tab === 'code') return <WidgetCode row={row} />;
  return <WidgetStatistics id={row.id} />;
}

interface EditFormProps {
  row: OtpWidget;
  readOnly: boolean;
  onClose: () => void;
}

function EditForm({ row, ...props }: EditFormProps) {
  const { t } = useTranslation();
  const update = useUpdateWidget(row.id);
  const done = ({ name }: OtpWidget) => {
    showSuccess(t('widgets:saved', { name }));
    props.onClose();
  };
  return (
    <>
      {row.isBlocked && (
        <Alert color="red" variant="light" mb="md">
          {t('widgets:isBlocked')}
        </Alert>
      )}
      <WidgetForm row={row} submit={update.mutateAsync} onDone={done} {...props} />
    </>
  );
}
