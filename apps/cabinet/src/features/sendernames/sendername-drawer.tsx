import { Button, Divider, Stack, Title } from '@mantine/core';
import type { Sendername } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useCan } from '../../core/settings.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { ModerationForm } from './moderation-form.tsx';
import { decisionsFor } from './moderation.ts';
import { SendernameChannels } from './sendername-channels.tsx';
import { SendernameDetails } from './sendername-details.tsx';
import { SendernameDialog } from './sendername-dialog-later.ts';
import { sendernameQuery } from './sendernames.api.ts';

/** One sender name in full, `?id=`, and the decision for those who may take it. */
export function SendernameDrawer() {
  const { t } = useTranslation();
  const detail = useDetail(sendernameQuery);
  const { onClose } = detail.frame;
  return (
    <Sheet {...detail.frame} size="lg" title={detail.data?.name ?? t('sendernames:detail')}>
      <DetailBody detail={detail} failed={t('sendernames:detailFailed')}>
        {(row) => (
          <Stack>
            <SendernameDetails row={row} />
            <SendernameChannels row={row} />
            {row.moderation === 'rejected' && <Correction row={row} />}
            <Decision row={row} onDone={onClose} />
          </Stack>
        )}
      </DetailBody>
    </Sheet>
  );
}

/** A corrected name is asked for again. */
function Correction({ row }: { row: Sendername }) {
  const { t } = useTranslation();
  const can = useCan();
  const [isEditing, setEditing] = useState(false);
  if (!can('sendernames.update')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setEditing(true)} style={{ alignSelf: 'start' }}>
        {t('sendernames:correct')}
      </Button>
      <SendernameDialog opened={isEditing} row={row} onClose={() => setEditing(false)} />
    </>
  );
}

function Decision({ row, onDone }: { row: Sendername; onDone: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const { data: me } = useQuery(meQuery);
  const decisions = can('sendernames.moderate', 'resellerUp') ? decisionsFor(row, me) : [];
  if (!decisions.length) return null;
  return (
    <section aria-labelledby="decision-title">
      <Divider mb="md" />
      <Title order={2} size="h5" mb="sm" id="decision-title">
        {t('common:decision.title')}
      </Title>
      <ModerationForm row={row} decisions={decisions} onDone={onDone} />
    </section>
  );
}
