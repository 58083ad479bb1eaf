import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useLast } from '../../core/use-last.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { companyQuery } from './companies.api.ts';
import { CompanyForm } from './company-form.tsx';

/** A company to read and change, `?id=`; a new one, `?create=true`. */
export function CompanyDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const detail = useDetail(companyQuery);
  const isNew = creating !== null && can('companies.create', 'managerUp');
  const showsNew = useLast(isNew && !detail.id, isNew || !!detail.id);
  const close = () => (isNew ? setCreating(null, { replace: true }) : detail.setId(null));
  const title = showsNew
    ? t('companies:createTitle')
    : (detail.data?.title ?? t('companies:detail'));
  return (
    <Sheet opened={!!detail.id || isNew} onClose={close} size={640} title={title}>
      {showsNew ? (
        <CompanyForm row={null} onClose={close} />
      ) : (
        <DetailBody detail={detail} failed={t('companies:failed')}>
          {(row) => (
            <>
              {can('documentTemplates.get', 'managerUp') && (
                <Anchor
                  component={Link}
                  to={`/documentTemplates?f.CompanyId=${row.id}`}
                  size="sm"
                  mb="sm"
                  display="inline-block"
                >
                  {t('companies:templates')}
                </Anchor>
              )}
              <CompanyForm key={row.id} row={row} onClose={close} />
            </>
          )}
        </DetailBody>
      )}
    </Sheet>
  );
}
