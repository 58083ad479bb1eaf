import { parseRichText } from '@heliograph/domain';
import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { audienceOf } from './audience.ts';
import { SystemMessageForm } from './system-message-form.tsx';
import { systemMessageQuery } from './system-messages.api.ts';

/** A new message, `?create=true`, and one to read, `?id=`. */
export function SystemMessageDialogs() {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const [creating, setCreating] = useParam('create');
  const detail = useDetail(systemMessageQuery);
  const close = () => setCreating(null, { replace: true });
  const isCreating = creating !== null && can('systemMessages.create', 'managerUp');
  return (
    <>
      <Dialog
        opened={isCreating}
        onClose={close}
        size={800}
        title={t('systemMessages:createTitle')}
      >
        {isCreating && <SystemMessageForm onClose={close} />}
      </Dialog>
      <Dialog {...detail.frame} size={600} title={detail.data?.title ?? t('systemMessages:detail')}>
        <DetailBody detail={detail} failed={t('systemMessages:detailFailed')}>
          {(row) => (
            <Stack>
              <RichText nodes={parseRichText(row.text)} />
              <Facts
                facts={[
                  {
                    label: t('systemMessages:type'),
                    value: t(`notifications:types.${row.type}.title`),
                  },
                  { label: t('systemMessages:operator'), value: row.operator },
                  { label: t('systemMessages:to'), value: audienceOf(t, row) },
                  { label: t('systemMessages:notified'), value: formats.number(row.notified) },
                  {
                    label: t('systemMessages:createdAt'),
                    value: formats.dateTime(row.createdAt),
                  },
                ]}
              />
            </Stack>
          )}
        </DetailBody>
      </Dialog>
    </>
  );
}
