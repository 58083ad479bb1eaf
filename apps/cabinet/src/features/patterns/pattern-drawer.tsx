import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useLast } from '../../core/use-last.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { PatternForm } from './pattern-form.tsx';
import { patternQuery } from './patterns.api.ts';

/** A pattern to read and change, `?id=`; a new one, `?create=true`. */
export function PatternDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const detail = useDetail(patternQuery);
  const isNew = creating !== null && can('patterns.create');
  const showsNew = useLast(isNew && !detail.id, isNew || !!detail.id);
  const close = () => (isNew ? setCreating(null, { replace: true }) : detail.setId(null));
  const title = showsNew ? t('patterns:createTitle') : (detail.data?.title ?? t('patterns:detail'));
  return (
    <Sheet opened={!!detail.id || isNew} onClose={close} size={600} title={title}>
      {showsNew ? (
        <PatternForm row={null} readOnly={false} onClose={close} />
      ) : (
        <DetailBody detail={detail} failed={t('patterns:detailFailed')}>
          {(row) => (
            <PatternForm
              key={row.id}
              row={row}
              readOnly={!can('patterns.update')}
              onClose={close}
            />
          )}
        </DetailBody>
      )}
    </Sheet>
  );
}
